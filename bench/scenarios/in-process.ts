import { BARS } from "../report/bars.ts";
import { median } from "../report/median.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { runAlone } from "./run-alone.ts";
import type { Sizes } from "./sizes.ts";

const CALLS = 1_000;

type Session = { readonly wall: number; readonly cpu: number };

/** A process in which sessions call a tool of a server in the same process, many times each. */
export async function inProcessRows({ shortRounds }: Sizes): Promise<Row[]> {
  const sessions = await runAlone<readonly Session[]>("calls-in-process", [CALLS, shortRounds]);
  const of = (key: keyof Session): number => median(sessions.map((each) => each[key]));
  return [
    absoluteRow("in-process MCP call", "µs", of("wall"), BARS.callInProcess),
    absoluteRow("in-process MCP call, CPU", "µs", of("cpu")),
  ];
}
