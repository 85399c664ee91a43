import { availableParallelism } from "node:os";
import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Tests read the sources, never dist/: each export in package.json names its source under this condition.
const conditions = ["castellan-source", ...defaultServerConditions];

// Property tests try CASTELLAN_RUNS cases; patience grows with them.
const patience = Math.max(1, Number(process.env.CASTELLAN_RUNS ?? 200) / 200);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["test/setup/run-folder.ts"],
    reporters: ["default", "./test/promises/reporter.ts"],
    testTimeout: 20_000 * patience,
    hookTimeout: 60_000,
    allowOnly: false,
    // Many tests wait for a process; one worker, the default on two cores, leaves half of the machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-d.ts"],
      reporter: ["text-summary", "html"],
    },
  },
});
