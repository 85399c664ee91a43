import { BUNDLED, thirdPartyNotices } from "../../scripts/third-party.mjs";
import { libraryConfig } from "../../scripts/tsdown-base.mjs";

// The same build makes the declarations: their modules go into no group.
function source(pattern) {
  const place = new RegExp(`[\\\\/]packages[\\\\/]sdk[\\\\/]src[\\\\/](${pattern})`);
  return (id) => place.test(id) && !id.endsWith(".d.ts");
}

// What more than one entry loads at once.
const CORE = [
  "(platform|schema|tools)[\\\\/]",
  "sessions[\\\\/](?!.*contract)",
  "model[\\\\/](ai-sdk-shape|part-batches|pause|providers|read-failure|request-tail|script|scripted|shown-address)\\.",
  "builtins[\\\\/](deps|results)\\.",
  "workspace[\\\\/](compile-part|fold-name|path-rules)\\.",
];

// One name a subpath in package.json. Code that several entries share falls into common chunks,
// and a room reached by import() becomes a chunk of its own.
export default libraryConfig({
  // Finding and reading these took as long as all of our own code (docs/decisions/003-bundled-packages.md).
  deps: { alwaysBundle: BUNDLED },
  plugins: [thirdPartyNotices()],
  outputOptions: {
    // A shared chunk may be called index as well; in a folder of its own it cannot take an entry's place.
    chunkFileNames: "chunks/[name].js",
    // Each file costs the loader about as much as 20 kB of code do. A group takes what its modules import with it,
    // unless a group of higher priority has it: so command lines stay out of what every program loads.
    codeSplitting: {
      groups: [
        {
          name: "known-commands",
          priority: 4,
          // Rules and the disk ask for free devices too.
          test: source(
            "(shell[\\\\/](suggest|known[\\\\/](global-options|interpreters|wrappers)\\.)|protocol[\\\\/]free-device\\.)",
          ),
        },
        { name: "command-lines", priority: 3, test: source("shell[\\\\/](?!index)") },
        // Pure: `./permissions` loads nothing of Node.
        { name: "decide", priority: 2, test: source("(protocol|permissions)[\\\\/]") },
        { name: "core", priority: 1, test: source(CORE.join("|")) },
        { name: "wire", priority: 0, test: source("model[\\\\/](named-model|wire[\\\\/])") },
      ],
    },
  },
  entry: {
    index: "src/index.ts",
    "testing/index": "src/testing/index.ts",
    "permissions-entry": "src/permissions-entry.ts",
    "shell/index": "src/shell/index.ts",
    "ai-sdk-entry": "src/ai-sdk-entry.ts",
    "stores-entry": "src/stores-entry.ts",
  },
});
