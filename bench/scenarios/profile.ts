import { readdir, readFile, rm } from "node:fs/promises";
import { topFunctions } from "../report/top-functions.ts";
import { file, type Order, openLab } from "./lab.ts";
import { FULL } from "./sizes.ts";

const JOBS: Readonly<Record<string, Order>> = {
  start: { kind: "start" },
  fresh: { kind: "turns", turns: FULL.turns[0], warmUp: 0 },
  turns: { kind: "turns", turns: FULL.turns[1], warmUp: FULL.turns[0] },
  throughput: { kind: "throughput", sessions: FULL.sessions, turns: 5, atOnce: FULL.atOnce },
  deltas: { kind: "deltas", deltas: FULL.deltas * 4, warmUp: FULL.deltas },
};

/** Runs a scenario of ours under --cpu-prof and prints where the time went. */
export async function profile(name: string): Promise<number> {
  const job = Object.hasOwn(JOBS, name) ? JOBS[name] : undefined;
  if (job === undefined) {
    console.error(`--profile takes one of: ${Object.keys(JOBS).join(", ")}.`);
    return 2;
  }
  const folder = file(`profile-${name}`);
  await rm(folder, { recursive: true, force: true });
  const lab = await openLab(["--cpu-prof", `--cpu-prof-dir=${folder}`]);
  try {
    console.log(await lab.run("castellan", job));
  } finally {
    await lab.close();
  }
  for (const path of await readdir(folder)) {
    console.log(topFunctions(JSON.parse(await readFile(`${folder}/${path}`, "utf8")), 40));
    console.log(`${folder}/${path}`);
  }
  return 0;
}
