import { libraryConfig } from "../../scripts/tsdown-base.mjs";

// The bin stub is the only importer of dist/, so there are no types to publish.
// The demo's model is a module of its own, because a session's log names it by its file.
export default libraryConfig({
  entry: { main: "src/main.ts", "demo-script": "src/demo/demo-script.ts" },
  dts: false,
});
