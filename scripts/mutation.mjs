// Mutation tests of the rooms that decide, a slice of their files at a time: all of them take many hours.
//   npm run mutation                     the slice that this commit names
//   npm run mutation -- --slice=3/16     that slice
//   npm run mutation -- --slice=1/1      everything
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import process from "node:process";

const SLICES = 16;
const ROOMS = ["gate", "permissions", "shell", "workspace"];
const CODE = /(?<!\.test|\.cases|\btest-kit)\.ts$/;

const asked = process.argv.slice(2).find((word) => word.startsWith("--slice="));
const [slice, slices] = asked ? numbers(asked.slice("--slice=".length)) : [sliceOfCommit(), SLICES];

// A file goes by its place in the sorted list, so that a slice mixes rooms and a run can be repeated.
const files = ROOMS.flatMap((room) => filesOf(`packages/sdk/src/${room}`))
  .filter((file) => CODE.test(file))
  .sort()
  .filter((_file, place) => place % slices === slice - 1);

console.log(`Mutation tests, slice ${slice} of ${slices}: ${files.length} files`);
const run = spawnSync("npx", ["--no-install", "stryker", "run", "--mutate", files.join(",")], {
  stdio: "inherit",
  env: { ...process.env, CASTELLAN_RUNS: "20" },
});
process.exit(run.status ?? 1);

function filesOf(folder) {
  return readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
}

function sliceOfCommit() {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" });
  return (Number.parseInt(commit.slice(0, 8), 16) % SLICES) + 1;
}

function numbers(text) {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [, part, of] = match ?? [];
  if (!match || Number(part) < 1 || Number(part) > Number(of)) {
    console.error(`--slice=${text}: give a number from 1 to n, then "/", then n, as in --slice=3/16`);
    process.exit(2);
  }
  return [Number(part), Number(of)];
}
