// Checks that imports go the way docs/internals/arrows.json says: `node scripts/arrows.mjs`.
// One key is one row: a folder of packages/sdk/src, or a file directly in it. Its list names the rows it may
// import. "*" means every row. `import type` counts. Tests beside the code, their tables (*.cases.ts) and their
// help (test-kit.ts) are not checked.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { cruise } from "dependency-cruiser";
import { BUNDLED } from "./third-party.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const TESTS = "(\\.(test|test-d|cases)|/test-kit)\\.ts$";

/** @returns {Promise<Record<string, string[]>>} */
export async function readArrows(path = join(root, "docs/internals/arrows.json")) {
  return JSON.parse(await readFile(path, "utf8"));
}

/** The rows that take part in a circle, or an empty list. */
export function circleIn(table) {
  const state = new Map();
  const visit = (row, trail) => {
    if (state.get(row) === "done") return [];
    if (state.get(row) === "open") return [...trail.slice(trail.indexOf(row)), row];
    state.set(row, "open");
    for (const target of targetsOf(table, row)) {
      const circle = visit(target, [...trail, row]);
      if (circle.length > 0) return circle;
    }
    state.set(row, "done");
    return [];
  };
  for (const row of Object.keys(table)) {
    const circle = visit(row, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

function targetsOf(table, row) {
  const listed = table[row] ?? [];
  return listed.includes("*") ? Object.keys(table).filter((other) => other !== row) : listed;
}

/** The dependency-cruiser rules that the table stands for, over a package folder that holds src/. */
export function rulesFrom(table) {
  const rows = Object.keys(table);
  const place = (names) => `^src/(${names.join("|")})(/|\\.ts$)`;
  const forbidden = rows.map((row) => ({
    name: `arrow-${row}`,
    severity: "error",
    comment: `${row} may import: ${(table[row] ?? []).join(", ") || "nothing"}`,
    from: { path: place([row]), pathNot: TESTS },
    to: { path: "^src/", pathNot: place([row, ...targetsOf(table, row)]) },
  }));
  return [...forbidden, ...houseRules(place(rows))];
}

function houseRules(knownPlace) {
  return [
    {
      name: "row-missing",
      severity: "error",
      comment: "a file outside every row of docs/internals/arrows.json imports something",
      from: { path: "^src/", pathNot: [knownPlace, TESTS] },
      to: {},
    },
    {
      name: "through-index",
      severity: "error",
      comment: "a room is imported through its index.ts",
      from: { path: "^src/([^/]+)", pathNot: TESTS },
      to: { path: "^src/[^/]+/", pathNot: ["^src/$1/", "^src/[^/]+/index\\.ts$"] },
    },
    ...commonRules(),
  ];
}

function commonRules() {
  return [
    { name: "no-circle", severity: "error", from: { pathNot: TESTS }, to: { circular: true } },
    { name: "resolves", severity: "error", from: { pathNot: TESTS }, to: { couldNotResolve: true } },
    {
      name: "stays-inside",
      severity: "error",
      comment: "a package reaches another by its published name",
      from: { path: "^src/", pathNot: TESTS },
      to: { path: "^\\.\\./", dependencyTypes: ["local"] },
    },
    {
      name: "declared-dependency",
      severity: "error",
      comment:
        "sources use what package.json lists under dependencies or peerDependencies, and what is bundled",
      from: { path: "^src/", pathNot: TESTS },
      to: {
        pathNot: `/node_modules/(${BUNDLED.join("|")})/`,
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["type-only", "npm-peer"],
      },
    },
  ];
}

/**
 * @param {string} packageFolder folder that holds src/
 * @param {object[]} forbidden dependency-cruiser rules
 * @returns {Promise<{modules: number, violations: string[]}>}
 */
export async function findViolations(packageFolder, forbidden) {
  const { output } = await cruise(["src"], {
    baseDir: packageFolder,
    validate: true,
    ruleSet: { forbidden },
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "^\\.\\./"] },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["castellan-source", "import", "types", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".json", ".d.ts"],
    },
  });
  return {
    modules: output.modules.filter((module) => module.source.startsWith("src/")).length,
    violations: output.summary.violations.map(describe),
  };
}

function describe(violation) {
  const way =
    violation.cycle === undefined
      ? violation.to
      : violation.cycle.map((step) => step.name ?? step).join(" -> ");
  const comment = violation.comment ? ` (${violation.comment})` : "";
  return `${violation.rule.name}: ${violation.from} -> ${way}${comment}`;
}

async function main() {
  const table = await readArrows();
  const circle = circleIn(table);
  if (circle.length > 0) throw new Error(`docs/internals/arrows.json has a circle: ${circle.join(" -> ")}`);
  let failed = false;
  for (const [name, rules] of [
    ["sdk", rulesFrom(table)],
    ["cli", commonRules()],
  ]) {
    const folder = join(root, "packages", name);
    if (!existsSync(join(folder, "src"))) throw new Error(`${folder} has no src/`);
    const { modules, violations } = await findViolations(folder, rules);
    for (const line of violations) console.error(line);
    console.log(`packages/${name}: ${modules} modules, ${violations.length} arrows that must not be`);
    failed ||= violations.length > 0 || modules === 0;
  }
  if (failed) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
