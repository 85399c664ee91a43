import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import type { Costs, Figures } from "../permissions/figures.ts";
import { BARS } from "../report/bars.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { file } from "./lab.ts";
import type { Sizes } from "./sizes.ts";

const run = promisify(execFile);

/** A process that decides calls of all kinds under 50, 1,000 and 5,000 rules. Its floor is the parser alone. */
export async function permissionRows({ shortRounds, decisions }: Sizes): Promise<Row[]> {
  const args = [file("permissions-job.js"), String(shortRounds), String(decisions)];
  const env = { ...process.env, NODE_ENV: "production" };
  const { stdout } = await run(process.execPath, args, { env });
  const { rules, parser, hostile, answers } = JSON.parse(stdout) as Figures;
  const [few, many, most] = [rules[50], rules[1_000], rules[5_000]];
  if (few === undefined || many === undefined || most === undefined || Object.values(answers).includes(0)) {
    throw new Error(`The decisions were not made as meant: ${JSON.stringify(answers)}`);
  }
  const growth = (key: keyof Costs): Row =>
    absoluteRow(`${NAMES[key]}: 5,000 rules to 50`, "ratio", most[key] / few[key], BARS.rules);
  const worst = Math.max(...Object.values(hostile));
  return [
    absoluteRow(NAMES.file, "a second", 1e6 / many.file, BARS.fileDecisions),
    absoluteRow(NAMES.server, "a second", 1e6 / many.server, BARS.fileDecisions),
    { ...absoluteRow(NAMES.fresh, "a second", 1e6 / many.fresh, BARS.newLines), ratio: many.fresh / parser },
    absoluteRow("the parser alone (floor)", "a second", 1e6 / parser),
    absoluteRow(NAMES.again, "a second", 1e6 / many.again, BARS.repeatedLines),
    growth("file"),
    growth("server"),
    growth("fresh"),
    growth("again"),
    { ...absoluteRow("hostile line of 32 KiB", "ms", worst, BARS.hostileMs), parts: hostile },
  ];
}

const NAMES: Readonly<Record<keyof Costs, string>> = {
  file: "file decisions",
  server: "MCP decisions",
  fresh: "new shell lines",
  again: "repeated shell lines",
};
