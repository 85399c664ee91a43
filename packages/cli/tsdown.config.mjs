import { libraryConfig } from "../../scripts/tsdown-base.mjs";

// The bin stub is the only importer of dist/, so there are no types to publish.
export default libraryConfig({ entry: { main: "src/main.ts" }, dts: false });
