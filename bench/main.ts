import process from "node:process";
import { parseArgs } from "node:util";
import type { Row } from "./report/row.ts";
import { saveResults } from "./report/save.ts";
import { table } from "./report/table.ts";
import { approvalRows } from "./scenarios/approvals.ts";
import { deltaRows } from "./scenarios/deltas.ts";
import { enduranceRows } from "./scenarios/endurance.ts";
import { importRows } from "./scenarios/imports.ts";
import { inProcessRows } from "./scenarios/in-process.ts";
import { installedRows } from "./scenarios/installed.ts";
import { type Lab, openLab } from "./scenarios/lab.ts";
import { longSessionRows } from "./scenarios/long-session.ts";
import { memoryRows } from "./scenarios/memory.ts";
import { permissionRows } from "./scenarios/permissions.ts";
import { powerRows } from "./scenarios/power.ts";
import { profile } from "./scenarios/profile.ts";
import { resumeRows } from "./scenarios/resume.ts";
import { FULL, type Sizes, SMOKE } from "./scenarios/sizes.ts";
import { startRows } from "./scenarios/start.ts";
import { throughputRows } from "./scenarios/throughput.ts";
import { turnRows } from "./scenarios/turns.ts";
import { waitingRows } from "./scenarios/waiting.ts";

const SCENARIOS: Readonly<Record<string, (lab: Lab, sizes: Sizes) => Promise<readonly Row[]>>> = {
  start: startRows,
  turns: turnRows,
  memory: memoryRows,
  throughput: throughputRows,
  deltas: deltaRows,
  permissions: (_lab, sizes) => permissionRows(sizes),
  calls: (_lab, sizes) => inProcessRows(sizes),
  waiting: (_lab, sizes) => waitingRows(sizes),
  inbox: (_lab, sizes) => approvalRows(sizes),
  power: (_lab, sizes) => powerRows(sizes),
  resume: (_lab, sizes) => resumeRows(sizes),
  long: (_lab, sizes) => longSessionRows(sizes),
  endurance: (_lab, sizes) => enduranceRows(sizes),
  import: (_lab, sizes) => importRows(sizes),
  installed: () => installedRows(),
};

const USAGE = `npm run bench -- [<scenario> …] [--smoke] [--json] [--only <scenario,…>] [--rounds <n>] [--minutes <n>] [--profile <scenario>] [--no-save]
scenarios: ${Object.keys(SCENARIOS).join(", ")}`;

/** Exit code: 0 measured (whatever the figures), 1 a scenario failed, 2 usage. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowNegative: true,
    allowPositionals: true,
    options: {
      smoke: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      only: { type: "string" },
      rounds: { type: "string" },
      minutes: { type: "string" },
      profile: { type: "string" },
      save: { type: "boolean", default: true },
    },
  });
  const wanted = [...positionals, ...(values.only?.split(",") ?? [])];
  const names = wanted.length > 0 ? wanted : Object.keys(SCENARIOS);
  const unknown = names.find((name) => !Object.hasOwn(SCENARIOS, name));
  if (unknown !== undefined) {
    console.error(`There is no scenario ${unknown}.\n${USAGE}`);
    return 2;
  }
  if (values.profile !== undefined) return profile(values.profile);
  const rounds =
    values.rounds === undefined ? {} : { rounds: Number(values.rounds), shortRounds: Number(values.rounds) };
  const minutes = values.minutes === undefined ? {} : { minutes: Number(values.minutes) };
  const sizes = { ...(values.smoke ? SMOKE : FULL), ...rounds, ...minutes };
  const rows: Row[] = [];
  const lab = await openLab();
  try {
    for (const name of names) {
      process.stderr.write(`${name} …\n`);
      rows.push(...((await SCENARIOS[name]?.(lab, sizes)) ?? []));
    }
  } catch (error) {
    console.error(error);
    return 1;
  } finally {
    if (rows.length > 0) console.log(values.json ? JSON.stringify(rows, null, 2) : `\n${table(rows)}\n`);
    await lab.close();
  }
  const isWhole = !values.smoke && wanted.length === 0;
  console.error(`Written: ${await saveResults(rows, { keep: isWhole && values.save, sizes })}`);
  return 0;
}
