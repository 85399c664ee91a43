import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../report/median.ts";
import type { Engine, Session } from "../task.ts";
import { cpuMs, now, rssMb } from "./gauges.ts";
import type { Job, JobOf, JobResult } from "./job.ts";

/** A long session is measured with the rules that gather in a long life. */
const RULES = 1_000;

export function runJob(job: Job, engine: Engine): Promise<JobResult> {
  switch (job.kind) {
    case "start":
      return start(job, engine);
    case "turns":
      return turns(job, engine);
    case "memory":
      return memory(job, engine);
    case "throughput":
      return throughput(job, engine);
    case "deltas":
      return deltas(job, engine);
  }
}

/** Points in time, which the parent sets against the moment in which it started the process. */
async function start({ url }: JobOf<"start">, engine: Engine): Promise<JobResult> {
  let firstCall = 0;
  const onCall = (): void => {
    firstCall ||= now();
  };
  await finished(engine, { url, turns: 2, words: 20, onCall });
  return { firstCall, finalText: now(), cpu: cpuMs() };
}

/** One long session. `early` and `late` are medians of ten turns, around turn 10 and before the end. */
async function turns({ url, turns: count, warmUp }: JobOf<"turns">, engine: Engine): Promise<JobResult> {
  if (warmUp > 0) await finished(engine, { url, turns: warmUp, words: 5, rules: RULES });
  const calls: number[] = [];
  const onCall = (): void => {
    calls.push(now());
  };
  const cpu = cpuMs();
  await finished(engine, { url, turns: count, words: 5, rules: RULES, onCall });
  const used = cpuMs() - cpu;
  const first = calls[0] ?? 0;
  const last = calls.at(-1) ?? 0;
  const lengths = calls.slice(1).map((at, i) => at - (calls[i] ?? at));
  return {
    turn: (last - first) / lengths.length,
    cpu: used / count,
    early: median(lengths.slice(4, 14)),
    late: median(lengths.slice(-10)),
  };
}

/** All sessions have made four calls and wait for the model's last word. */
async function memory({ url, sessions }: JobOf<"memory">, engine: Engine): Promise<JobResult> {
  const turns = 5;
  let calls = 0;
  const onCall = (): void => {
    calls += 1;
  };
  const running = Array.from({ length: sessions }, () =>
    finished(engine, { url, turns, words: 1, hold: true, onCall }),
  );
  const all = Promise.all(running);
  while (calls < sessions * (turns - 1)) await Promise.race([all, sleep(20)]);
  await sleep(500);
  const rss = rssMb();
  await fetch(`${url}/release`);
  await all;
  return { rss };
}

async function throughput(job: JobOf<"throughput">, engine: Engine): Promise<JobResult> {
  const { url, sessions, turns, atOnce } = job;
  const began = now();
  const cpu = cpuMs();
  let left = sessions;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await finished(engine, { url, turns, words: 20 });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { perSecond: (1_000 * sessions) / (now() - began), cpu: (cpuMs() - cpu) / sessions };
}

/** Per delta of one long answer, with each delta given to the program. */
async function deltas({ url, deltas: count, warmUp }: JobOf<"deltas">, engine: Engine): Promise<JobResult> {
  let seen = 0;
  const onDelta = (text: string): void => {
    seen += text.length;
  };
  if (warmUp > 0) await finished(engine, { url, turns: 1, words: warmUp, onDelta });
  seen = 0;
  const began = now();
  const cpu = cpuMs();
  await finished(engine, { url, turns: 1, words: count, onDelta });
  const result = { cpu: (cpuMs() - cpu) / count, wall: (now() - began) / count };
  if (seen !== count * 5) throw new Error(`${seen} characters of ${count} deltas reached the program.`);
  return result;
}

/** Nothing counts that did not end well: the final text must be there, whole. */
async function finished(engine: Engine, session: Session): Promise<void> {
  const text = await engine(session);
  const words = session.hold === true ? 1 : session.words;
  if (text !== "rows ".repeat(words))
    throw new Error(`A session ended with ${JSON.stringify(text.slice(0, 200))}.`);
}
