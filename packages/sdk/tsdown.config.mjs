import { plainCharacters } from "../../scripts/plain-characters.mjs";
import { BUNDLED, shortenThirdParty, thirdPartyNotices } from "../../scripts/third-party.mjs";
import { libraryConfig } from "../../scripts/tsdown-base.mjs";

// The same build makes the declarations: their modules go into no group.
function source(pattern) {
  const place = new RegExp(`[\\\\/]packages[\\\\/]sdk[\\\\/]src[\\\\/](${pattern})`);
  return (id) => place.test(id) && !id.endsWith(".d.ts");
}

// What more than one entry loads at once.
const CORE = [
  "(schema|tools)[\\\\/]",
  "platform[\\\\/](?!memory-files)",
  "sessions[\\\\/](?!fork(-permissions)?\\.|transcript|.*(contract|sqlite))",
  "settings[\\\\/](types|file-places|machine-policy)\\.",
  "model[\\\\/](ai-sdk-shape|part-batches|pause|providers|read-failure|shown-address)\\.",
  "builtins[\\\\/](deps|results)\\.",
  "workspace[\\\\/](compile-part|fold-name|path-rules)\\.",
];

// One name a subpath in package.json. Code that several entries share falls into common chunks,
// and a room reached by import() becomes a chunk of its own.
export default libraryConfig({
  // Finding and reading these took as long as all of our own code (docs/decisions/003-bundled-packages.md).
  deps: { alwaysBundle: BUNDLED },
  plugins: [shortenThirdParty(), thirdPartyNotices(), plainCharacters()],
  // jsonc-parser's CommonJS form loads its parts at run time, where no bundler sees them.
  // Names of sources beside the code would be a fiftieth of all that is shipped.
  inputOptions: { resolve: { mainFields: ["module", "main"] }, experimental: { attachDebugInfo: "none" } },
  outputOptions: {
    // Other comments never come through; the declarations keep what an editor shows.
    comments: { jsdoc: false },
    // A shared chunk may be called index as well; in a folder of its own it cannot take an entry's place.
    chunkFileNames: "chunks/[name].js",
    // Each file costs the loader about as much as 20 kB of code do. A group takes what its modules import with it,
    // unless a group of higher priority has it: so command lines stay out of what every program loads.
    codeSplitting: {
      groups: [
        {
          name: "known-commands",
          priority: 5,
          // Rules and the disk ask for free devices too, and rules for what no mode lifts.
          test: source(
            "(shell[\\\\/](suggest|known[\\\\/](global-options|interpreters|wrappers)\\.)|protocol[\\\\/](free-device|kept-opacity|recent)\\.)",
          ),
        },
        { name: "command-lines", priority: 4, test: source("shell[\\\\/](?!index)") },
        // Pure: `./permissions` loads nothing of Node. Lint and examples read command lines, so they stay out.
        {
          name: "decide",
          priority: 3,
          test: source("(protocol|permissions)[\\\\/](?!(examples|explain|lint|match-rule)\\b)"),
        },
        { name: "core", priority: 2, test: source(CORE.join("|")) },
        { name: "wire", priority: 1, test: source("model[\\\\/](named-model|wire[\\\\/])") },
        // Loaded with the first session that has any settings. The first look at the disk is not among it.
        {
          name: "settings",
          priority: 1,
          test: source("settings[\\\\/](?!index\\.)"),
        },
        // What walks through trees: with the tools that search.
        {
          name: "walk",
          priority: 1,
          test: source("workspace[\\\\/](walk|ignore-files|heeds-ignore-files-above)\\."),
        },
        // Sessions share it with dry runs and with what reads settings, which are loaded when they are asked for. A module
        // that a group names is in its chunk, also where nobody but an import() asks for it: so those are taken out.
        {
          name: "session",
          priority: 0,
          test: source(
            "gate[\\\\/](?!ask-inbox)|hooks[\\\\/]|workspace[\\\\/](?!open-resolved)|host[\\\\/](?!dry|lint|settings|sessions|approvals[\\\\/]make|controls[\\\\/]context-usage|timers[\\\\/](live-|run-|timer-message)|hold-artifacts|opening[\\\\/](copy-session|(load|write)-settings))",
          ),
        },
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
    "sqlite-entry": "src/sqlite-entry.ts",
  },
});
