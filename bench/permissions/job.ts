import process from "node:process";
import { parse } from "unbash";
import {
  type CompiledPolicy,
  compilePolicy,
  type DecideCall,
  decide,
} from "../../packages/sdk/src/permissions/index.ts";
import type { Target } from "../../packages/sdk/src/protocol/index.ts";
import { analyse, targetsOfLine } from "../../packages/sdk/src/shell/index.ts";
import { contextWith, fileCall, serverCall, shellCall } from "./calls.ts";
import type { Costs, Figures } from "./figures.ts";
import { HOSTILE } from "./hostile.ts";
import { createLines } from "./lines.ts";
import { least, microseconds } from "./measure.ts";
import { rulesOf } from "./rules.ts";

// A process of its own: `node permissions.js <rounds> <calls a round>`; the figures stand as JSON on the output.

const NOW = 1_800_000_000_000;
const COUNTS = [50, 1_000, 5_000] as const;
const LINES_OF_A_SESSION = 100;
const HOSTILE_TIMES = 3;
const AT_ONCE = 50;

const rounds = Number(process.argv[2]);
const calls = Number(process.argv[3]);
const lines = createLines(7);
const policies = new Map(COUNTS.map((count) => [count, compilePolicy(contextWith(rulesOf(count)))]));
const files = Array.from({ length: calls }, (_, i) =>
  fileCall(i % 3 === 0 ? "write" : "read", `/home/dev/project/src/area-${i % 1_000}/part-${i}/file.ts`),
);
const servers = Array.from({ length: calls }, (_, i) => serverCall(`server-${i % 40}`, `tool_${i % 997}`));
const session = Array.from({ length: LINES_OF_A_SESSION }, () => lines.next());
const answers = { allow: 0, ask: 0, deny: 0 };

function judge(call: DecideCall, policy: CompiledPolicy): void {
  answers[decide(call, policy, NOW).behavior] += 1;
}

/**
 * What a disk says of the targets is made between two measured parts: no look at it belongs to the engine. Few lines at
 * a time: what is alive must be copied by garbage collection.
 */
function lineCost(list: readonly string[], policy: CompiledPolicy): number {
  let sum = 0;
  for (let at = 0; at < list.length; at += AT_ONCE) {
    const some = list.slice(at, at + AT_ONCE);
    const targets: (readonly Target[])[] = [];
    sum += some.length * each(some, (line) => targets.push(targetsOfLine(analyse(line))));
    const resolved = targets.map((own, i) => shellCall(some[i] ?? "", own));
    sum += some.length * each(resolved, (call) => judge(call, policy));
  }
  return sum / list.length;
}

function newLines(): string[] {
  return Array.from({ length: calls }, () => lines.next());
}

/** Microseconds for one of the list. */
function each<T>(list: readonly T[], work: (item: T) => void): number {
  return microseconds(list.length, (i) => work(list[i] as T));
}

function costsOf(policy: CompiledPolicy): Costs {
  return {
    file: each(files, (call) => judge(call, policy)),
    server: each(servers, (call) => judge(call, policy)),
    fresh: lineCost(newLines(), policy),
    again: repeatedCost(policy),
  };
}

/** From the third time on. The new lines before have crowded out the session's: twice they are as new again. */
function repeatedCost(policy: CompiledPolicy): number {
  for (let i = 0; i < 2; i++) lineCost(session, policy);
  return lineCost(
    Array.from({ length: calls }, (_, i) => session[i % session.length] ?? ""),
    policy,
  );
}

const parser: number[] = [];
const costs = new Map(COUNTS.map((count) => [count, [] as Costs[]]));
// The first round warms up. In each round all stand close together: a busy minute counts on both sides of a ratio.
for (let round = 0; round <= rounds; round++) {
  const parsed = each(newLines(), (line) => parse(line));
  if (round > 0) parser.push(parsed);
  for (const [count, policy] of policies) {
    const found = costsOf(policy);
    if (round > 0) costs.get(count)?.push(found);
  }
}

const hostile: Record<string, number> = {};
for (const [name, line] of HOSTILE) {
  const policy = policies.get(1_000) as CompiledPolicy;
  // Lines this long are not kept: each time is the first.
  const once = (): number => lineCost([line], policy) / 1_000;
  hostile[name] = least(Array.from({ length: HOSTILE_TIMES }, once));
}

const figures: Figures = {
  rules: Object.fromEntries(
    [...costs].map(([count, list]) => {
      const of = (key: keyof Costs): number => least(list.map((each) => each[key]));
      return [count, { file: of("file"), server: of("server"), fresh: of("fresh"), again: of("again") }];
    }),
  ),
  parser: least(parser),
  hostile,
  answers,
};
console.log(JSON.stringify(figures));
