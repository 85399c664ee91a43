// Mutation tests of the rooms that decide. `npm run mutation`; the long lane of .ci/run prints the score.
export default {
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutation.config.ts" },
  mutate: [
    "packages/sdk/src/{permissions,shell,workspace,gate}/**/*.ts",
    "!packages/sdk/src/**/*.test.ts",
    "!packages/sdk/src/**/*.cases.ts",
    "!packages/sdk/src/**/test-kit.ts",
  ],
  inPlace: false,
  ignorePatterns: ["dist", "coverage", "reports"],
  coverageAnalysis: "perTest",
  concurrency: 2,
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportMutants: false, reportTests: false },
  jsonReporter: { fileName: "reports/mutation.json" },
  thresholds: { high: 95, low: 85, break: null },
};
