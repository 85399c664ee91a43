// Builds the SDK and the bench as they would run in production, then runs the bench.
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackages } from "../scripts/build.mjs";

const bench = fileURLToPath(new URL(".", import.meta.url));
const out = join(bench, "dist");
const installed = join(out, "node_modules", "@castellan");

await rm(out, { recursive: true, force: true });
await buildPackages({ quiet: true, out: join(out, "packages") });
await mkdir(installed, { recursive: true });
await cp(join(out, "packages/sdk"), join(installed, "sdk"), { recursive: true });
await cp(join(bench, "../packages/sdk/package.json"), join(installed, "sdk/package.json"));

const { build } = await import("tsdown");
await build({
  config: false,
  cwd: bench,
  logLevel: "warn",
  format: "esm",
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
  outDir: "dist",
  clean: false,
  dts: false,
  hash: false,
  report: false,
  checks: { pluginTimings: false },
  deps: { neverBundle: [/^@castellan\/sdk/, /^@ai-sdk\//] },
  entry: {
    main: "main.ts",
    server: "server/server.ts",
    client: "jobs/client.ts",
    "import-once": "jobs/import-once.ts",
    "calls-in-process": "jobs/calls-in-process.ts",
    waiting: "jobs/waiting.ts",
    approvals: "jobs/approvals.ts",
    power: "jobs/power.ts",
    resume: "jobs/resume.ts",
    endurance: "jobs/endurance.ts",
    "long-session": "jobs/long-session.ts",
    "permissions-job": "permissions/job.ts",
    "engine-castellan": "engines/castellan.ts",
    "engine-ai-sdk": "engines/ai-sdk.ts",
    "engine-http": "engines/node-http.ts",
    "engine-fetch": "engines/fetch.ts",
  },
});

const { main } = await import(new URL("dist/main.js", import.meta.url).href);
process.exitCode = await main(process.argv.slice(2));
