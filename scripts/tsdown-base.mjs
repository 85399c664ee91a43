import process from "node:process";

/**
 * What every package's build has in common: ESM for Node, dependencies left outside, few chunks.
 * Declarations come from the isolatedDeclarations transform, so no type-checker runs in a build.
 * CASTELLAN_JS_ONLY=1 leaves them out (the demo needs JavaScript alone).
 */
export function libraryConfig(overrides) {
  return {
    format: "esm",
    platform: "node",
    target: "node20.19",
    outDir: "dist",
    fixedExtension: false,
    sourcemap: false,
    clean: true,
    hash: false,
    report: false,
    treeshake: true,
    failOnWarn: false,
    checks: { pluginTimings: false },
    ...overrides,
    dts: process.env.CASTELLAN_JS_ONLY === "1" ? false : (overrides.dts ?? { oxc: true, sourcemap: false }),
  };
}
