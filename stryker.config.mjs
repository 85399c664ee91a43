import process from "node:process";

// Mutation tests of the rooms that decide. scripts/mutation.mjs says which files; the long lane prints the scores.
export default {
  plugins: ["@stryker-mutator/vitest-runner", "./scripts/mutation-ignore.mjs"],
  testRunner: "vitest",
  // The tests are named one by one and coverage picks among them: to walk their imports again for each mutant finds
  // nothing more, and costs most of a run.
  vitest: { configFile: "vitest.mutation.config.ts", related: false },
  inPlace: false,
  ignorePatterns: ["dist", "coverage", "reports", "docs"],
  coverageAnalysis: "perTest",
  // A mutant that lives in a module's constants needs every test again: they would take half of the time. The tables
  // among them have tests that name their entries.
  ignoreStatic: true,
  // What an error says, where it decides nothing: see the plugin.
  ignorers: ["error-texts"],
  concurrency: 2,
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportMutants: false, reportTests: false },
  jsonReporter: { fileName: process.env.CASTELLAN_MUTATION_REPORT ?? "reports/mutation.json" },
  thresholds: { high: 95, low: 85, break: null },
};
