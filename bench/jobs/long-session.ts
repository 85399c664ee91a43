import process from "node:process";
import type { LanguageModel } from "@castellan/sdk";
import { createHost, type Options, tool } from "@castellan/sdk";
import { median } from "../report/median.ts";
import { rssMb } from "./gauges.ts";

/**
 * One session of many turns that sums up its history whenever a window of 30,000 tokens is nearly full, with the log on
 * the disk and two hooks. `node --expose-gc long-session.js <turns>` prints what a turn takes at the start and at the end.
 */
const TURNS = Number(process.argv[2]);
const PART = Math.max(1, Math.floor(TURNS / 10));
const WINDOW = 30_000;

const collect = (globalThis as { gc?: () => void }).gc;

interface Gauge {
  readonly heapMb: number;
  readonly rssMb: number;
}

function gauge(): Gauge {
  collect?.();
  collect?.();
  const { heapUsed, external } = process.memoryUsage();
  return { heapMb: (heapUsed + external) / 1e6, rssMb: rssMb() };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

interface Course {
  /** CPU time of the process when each request came, in milliseconds: a busy machine changes it little. */
  readonly at: number[];
  readonly gauges: Gauge[];
  /** The turn that each summary stands before. */
  readonly summaries: number[];
  longest: number;
}

function modelOf(turns: number, course: Course): LanguageModel {
  let asked = 0;
  return {
    id: "m",
    provider: "p",
    contextWindow: WINDOW,
    async *stream({ tools, messages }) {
      if (tools.length === 0) {
        course.summaries.push(course.at.length);
        yield { type: "text", delta: `So far. ${"The rows were read. ".repeat(60)}` };
        yield { type: "finish", stopReason: "end_turn" };
        return;
      }
      asked += 1;
      course.longest = Math.max(course.longest, messages.length);
      course.at.push(cpuMs());
      // Behind the turns that are measured.
      if (asked === PART || asked === turns) course.gauges.push(gauge());
      yield { type: "text", delta: `Answer ${asked}. ${"word ".repeat(100)}` };
      if (asked === turns) yield { type: "finish", stopReason: "end_turn" };
      else {
        yield { type: "toolStart", id: `c${asked}`, name: "row" };
        yield { type: "toolEnd", id: `c${asked}`, inputText: `{"n":${asked}}` };
        yield { type: "finish", stopReason: "tool_use" };
      }
    },
  };
}

const row = tool("row", "Reads a row.", { n: "integer" }, ({ n }) => ({
  content: [{ type: "text", text: `row ${n} ${"figure ".repeat(200)}` }],
}));
const hook = { hooks: [async () => ({})] };
const host = createHost();

async function session(turns: number): Promise<Course> {
  const course: Course = { at: [], gauges: [], summaries: [], longest: 0 };
  const options: Options = {
    model: modelOf(turns, course),
    ...{ tools: [row, "Recall"], allowedTools: ["row"] },
    hooks: { PreToolUse: [hook], PostToolUse: [hook] },
  };
  for await (const message of host.query({ prompt: "Read every row.", options })) {
    if (message.type === "result" && message.subtype !== "success") throw new Error(message.errors.join(" "));
  }
  return course;
}

// The code is warm at the first turn that is measured.
await session(Math.ceil(TURNS / 5));
const { at, gauges, summaries, longest } = await session(TURNS);
await host.close();

/** The median turn of one tenth, which no summary is among. */
function tenth(from: number): number {
  return median(at.slice(from + 1, from + PART).map((moment, i) => moment - (at[from + i] as number)));
}

/** What a turn takes from one summary to the next, with the one that ends the stretch and with what is collected on the way. */
const cycles = summaries.slice(1).map((to, i) => {
  const from = summaries[i] as number;
  return ((at[to] as number) - (at[from] as number)) / (to - from);
});
const [early, late] = gauges as [Gauge, Gauge];
const third = Math.max(1, Math.floor(cycles.length / 3));
process.stdout.write(
  JSON.stringify({
    ...{ firstMs: tenth(0), lastMs: tenth(TURNS - PART) },
    ...{ firstCycleMs: median(cycles.slice(0, third)), lastCycleMs: median(cycles.slice(-third)) },
    heapMb: late.heapMb - early.heapMb,
    rssMb: late.rssMb - early.rssMb,
    ...{ summaries: summaries.length, longest },
  }),
);
