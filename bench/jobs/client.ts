import process from "node:process";
import { type Engine, KEY } from "../task.ts";
import type { Job, JobResult } from "./job.ts";
import { runJob } from "./run-job.ts";

/** One measurement in a process of its own: `node client.js <engine> <job as JSON>`. The result goes to the parent. */
const job = JSON.parse(process.argv[3] ?? "") as Job;
process.env.ANTHROPIC_BASE_URL = job.url;
process.env.ANTHROPIC_API_KEY = KEY;
const { engine } = (await import(new URL(`./engine-${process.argv[2]}.js`, import.meta.url).href)) as {
  engine: Engine;
};
const result: JobResult = await runJob(job, engine);
process.send?.(result, () => process.disconnect());
