import { defineConfig } from "vitest/config";

// Tests read the sources, never dist/: the condition below is the first of each export in package.json.
export default defineConfig({
  resolve: { conditions: ["castellan-source"] },
  ssr: { resolve: { conditions: ["castellan-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 20_000,
  },
});
