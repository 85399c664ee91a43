import { libraryConfig } from "../../scripts/tsdown-base.mjs";

// One name a subpath in package.json. Code that several entries share falls into common chunks,
// and a room reached by import() becomes a chunk of its own.
export default libraryConfig({
  // A shared chunk may be called index as well; in a folder of its own it cannot take an entry's place.
  outputOptions: { chunkFileNames: "chunks/[name].js" },
  entry: {
    index: "src/index.ts",
    "testing/index": "src/testing/index.ts",
    "permissions-entry": "src/permissions-entry.ts",
    "shell/index": "src/shell/index.ts",
    "ai-sdk-entry": "src/ai-sdk-entry.ts",
    "stores-entry": "src/stores-entry.ts",
  },
});
