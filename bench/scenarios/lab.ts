import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { now } from "../jobs/gauges.ts";
import type { Job, JobResult } from "../jobs/job.ts";

export const ENGINES = ["castellan", "http", "fetch"] as const;
/** Ours over the AI SDK's wire as well, for rows that show what that costs. */
export const WITH_AI_SDK = [...ENGINES, "ai-sdk"] as const;
export type EngineName = (typeof WITH_AI_SDK)[number];

/** Job without the address, which the lab knows. */
export type Order<J = Job> = J extends Job ? Omit<J, "url"> : never;

/** Where measurements run: the server in its process, each engine in a new one, all on the same flags. */
export interface Lab {
  /** What the job measured, and `spawned`: when its process was started. */
  run(engine: EngineName, job: Order): Promise<JobResult>;
  close(): Promise<void>;
}

/** No measurement takes this long; one that hangs must not hang the bench. */
const PATIENCE_MS = 180_000;

export async function openLab(flags: readonly string[] = []): Promise<Lab> {
  const home = await mkdtemp(join(tmpdir(), "castellan-bench-"));
  const server = fork(file("server.js"), { stdio: "inherit" });
  const port = await message<number>(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    async run(engine, job) {
      const folder = await mkdtemp(join(home, "run-"));
      const env = { ...process.env, CASTELLAN_HOME: join(folder, "home"), NODE_ENV: "production" };
      const spawned = now();
      const child = fork(file("client.js"), [engine, JSON.stringify({ ...job, url })], {
        cwd: folder,
        env,
        execArgv: [...flags],
        stdio: ["ignore", "inherit", "inherit", "ipc"],
        timeout: PATIENCE_MS,
      });
      const result = await message<JobResult>(child);
      await new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve(0)));
      await rm(folder, { recursive: true, force: true });
      return { ...result, spawned };
    },
    async close() {
      server.disconnect();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

function message<T>(child: ReturnType<typeof fork>): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (value) => resolve(value as T));
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(new Error(`A process of the bench ended (${signal ?? code}) without a result.`)),
    );
  });
}
