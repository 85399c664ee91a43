// Mutation tests of the rooms that decide. scripts/mutation.mjs says which files; the long lane prints the score.
export default {
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutation.config.ts" },
  inPlace: false,
  ignorePatterns: ["dist", "coverage", "reports"],
  coverageAnalysis: "perTest",
  // A mutant that lives in a module's constants needs every test again: they would take half of the time.
  ignoreStatic: true,
  concurrency: 2,
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportMutants: false, reportTests: false },
  jsonReporter: { fileName: "reports/mutation.json" },
  thresholds: { high: 95, low: 85, break: null },
};
