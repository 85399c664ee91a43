import { readdirSync } from "node:fs";
import process from "node:process";
import type { LanguageModel } from "@castellan/sdk";
import { createHost, type Options, tool } from "@castellan/sdk";
import { rssMb } from "./gauges.ts";

/**
 * Many sessions at once, one after the other ending and a new one taking its place, with the log on the disk, until the
 * time is over. `node --expose-gc endurance.js <minutes> <sessions>` prints a sample every ten seconds (ten of them at
 * least) and what the last third has grown by.
 */
const MINUTES = Number(process.argv[2]);
const SESSIONS = Number(process.argv[3]);
const SPAN_MS = MINUTES * 60_000;
const EVERY_MS = Math.min(10_000, SPAN_MS / 10);
/** Answers of one session; each but the last calls a tool. */
const TURNS = 10;
/** How long a model thinks: as long as models do, where there is time. */
const THINKS_MS = Math.min(4_000, SPAN_MS / 30);

interface Sample {
  readonly seconds: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly files: number;
  readonly turns: number;
}

const collect = (globalThis as { gc?: () => void }).gc;
const began = performance.now();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const isOver = (): boolean => performance.now() - began > SPAN_MS;
let turns = 0;
let ended = 0;

function slowModel(): LanguageModel {
  let asked = 0;
  return {
    id: "m",
    provider: "p",
    async *stream() {
      asked += 1;
      turns += 1;
      await pause(THINKS_MS * (0.5 + Math.random()));
      yield { type: "text", delta: `Answer ${asked}. ${"word ".repeat(200)}` };
      if (asked === TURNS) yield { type: "finish", stopReason: "end_turn" };
      else {
        yield { type: "toolStart", id: `c${asked}`, name: "row" };
        yield { type: "toolEnd", id: `c${asked}`, inputText: `{"n":${asked}}` };
        yield { type: "finish", stopReason: "tool_use" };
      }
    },
  };
}

const row = tool("row", "Reads a row.", { n: "integer" }, ({ n }) => ({
  content: [{ type: "text", text: `row ${n} ${"figure ".repeat(100)}` }],
}));
const hook = { hooks: [async () => ({})] };

const host = createHost();

/** One place among the sessions: whoever ends makes room for the next. */
async function place(): Promise<void> {
  await pause(Math.random() * TURNS * THINKS_MS);
  while (!isOver()) {
    const options: Options = {
      model: slowModel(),
      tools: [row],
      allowedTools: ["row"],
      hooks: { PreToolUse: [hook], PostToolUse: [hook] },
    };
    for await (const message of host.query({ prompt: "go", options })) {
      if (message.type === "result" && message.subtype !== "success")
        throw new Error(message.errors?.join(" "));
    }
    ended += 1;
  }
}

function sample(): Sample {
  collect?.();
  collect?.();
  const { heapUsed, external } = process.memoryUsage();
  const files = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  const seconds = Math.round((performance.now() - began) / 1_000);
  return { seconds, rssMb: rssMb(), heapMb: (heapUsed + external) / 1e6, files, turns };
}

const samples: Sample[] = [];
const places = Promise.all(Array.from({ length: SESSIONS }, place));
while (!isOver()) {
  await Promise.race([pause(EVERY_MS), places]);
  if (!isOver()) samples.push(sample());
}
await places;
await host.close();

const mean = (part: readonly Sample[], key: keyof Sample): number =>
  part.reduce((sum, one) => sum + one[key], 0) / Math.max(1, part.length);
const third = Math.floor(samples.length / 3);
/** The mean of the last third less that of the one before it. */
const growth = (key: keyof Sample): number =>
  mean(samples.slice(-third), key) - mean(samples.slice(-2 * third, -third), key);
process.stdout.write(
  JSON.stringify({
    growth: { rssMb: growth("rssMb"), heapMb: growth("heapMb"), files: growth("files") },
    ...{ ended, turns, samples },
  }),
);
