// Mutation tests of the rooms that decide, a slice of their files at a time: all of them take many hours.
//   npm run mutation                     the slice that this commit names
//   npm run mutation -- --slice=3/16     that slice
//   npm run mutation -- --slice=1/1      everything
// Each room is judged by its own tests, those beside its code: what only a test of another room would notice counts as
// missed. `permissions` and `shell` have what stands elsewhere and is about nothing else: the corpus of decisions, that of
// rules as people write them, and the caps of the shell analysis.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import process from "node:process";

const SLICES = 16;
const CORPUS = "test/corpus/decisions.test.ts";
const RULE_FORMS = "test/corpus/rule-forms.test.ts";
const CAPS = "test/architecture/shell-caps.test.ts";
const ROOMS = { gate: [], permissions: [CORPUS, RULE_FORMS], shell: [CORPUS, CAPS], workspace: [] };
// What only tests use is no code: `line-generator` makes lines for them.
const CODE = /(?<!\.test|\.cases|\btest-kit|\bline-generator)\.ts$/;

const asked = process.argv.slice(2).find((word) => word.startsWith("--slice="));
const [slice, slices] = asked ? numbers(asked.slice("--slice=".length)) : [sliceOfCommit(), SLICES];

// A file goes by its place in the sorted list, so that a slice mixes rooms and a run can be repeated.
const files = Object.keys(ROOMS)
  .flatMap((room) => filesOf(folderOf(room)))
  .filter((file) => CODE.test(file))
  .sort()
  .filter((_file, place) => place % slices === slice - 1);

console.log(`Mutation tests, slice ${slice} of ${slices}: ${files.length} files`);
let status = 0;
for (const [room, more] of Object.entries(ROOMS)) {
  const own = files.filter((file) => file.startsWith(`${folderOf(room)}/`));
  if (own.length === 0) continue;
  console.log(`\n${room}: ${own.length} files`);
  const tests = [`${folderOf(room)}/**/*.test.ts`, ...more];
  const run = spawnSync("npx", ["--no-install", "stryker", "run", "--mutate", own.join(",")], {
    stdio: "inherit",
    env: {
      ...process.env,
      CASTELLAN_RUNS: "20",
      CASTELLAN_MUTATION_TESTS: tests.join(","),
      CASTELLAN_MUTATION_REPORT: `reports/mutation-${room}.json`,
    },
  });
  if (run.status !== 0) status = run.status ?? 1;
}
process.exit(status);

function folderOf(room) {
  return `packages/sdk/src/${room}`;
}

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
