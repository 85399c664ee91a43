import process from "node:process";
import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

const ALL = "packages/sdk/src/{permissions,shell,workspace,gate}/**/*.test.ts";

// Mutants are judged by the tests beside the code: no processes, no packing, no reporter of promises.
export default defineConfig({
  ...base,
  test: {
    include: (process.env.CASTELLAN_MUTATION_TESTS ?? ALL).split(","),
    // It runs bash on every line, and its share of opaque lines needs more lines than a mutant gets.
    exclude: ["packages/sdk/src/shell/differential.test.ts"],
    testTimeout: 20_000,
  },
});
