import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { GateKit, GateKitOptions } from "../gate/test-kit.ts";
import { gateKit, makeTool } from "../gate/test-kit.ts";
import type { ToolCallPart, ToolDefinition } from "../protocol/index.ts";
import type { SchedulerDeps } from "./index.ts";
import { call, schedulerKit } from "./test-kit.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

async function sideOf(tools: readonly ToolDefinition[], more: GateKitOptions = {}): Promise<GateKit> {
  const side = await gateKit({ tools, context: bypass, ...more });
  kits.push(side);
  return side;
}

function run(
  side: GateKit,
  calls: readonly ToolCallPart[],
  more: Partial<SchedulerDeps> = {},
): Promise<unknown> {
  return schedulerKit(side, more).scheduler.runRound(calls, "m", new AbortController().signal);
}

/** Tools that log when they begin and end, and take as many turns of the event loop as their input says. */
function traced(log: string[]): { tools: ToolDefinition[]; most: () => number } {
  let now = 0;
  let most = 0;
  const work = (exclusive: boolean): Partial<ToolDefinition> => ({
    isConcurrencySafe: () => !exclusive,
    isReadOnly: () => !exclusive,
    call: async (input) => {
      now += 1;
      most = Math.max(most, now);
      log.push(`${input.id} begins`);
      await turns(Number(input.turns ?? 1));
      log.push(`${input.id} ends`);
      now -= 1;
      return { content: [{ type: "text", text: String(input.id) }] };
    },
  });
  return { tools: [makeTool("read", work(false)), makeTool("write", work(true))], most: () => most };
}

const read = (id: string, count = 1): ToolCallPart => call(id, "read", { id, turns: count });
const write = (id: string, count = 1): ToolCallPart => call(id, "write", { id, turns: count });

describe("the order of a round", () => {
  it("runs neighbouring safe calls together and the others alone, in source order", async () => {
    const log: string[] = [];
    const { tools } = traced(log);
    const side = await sideOf(tools);
    await run(side, [read("a", 6), read("b", 3), write("c"), write("d"), read("e", 4), read("f", 1)]);
    const at = (line: string): number => log.indexOf(line);
    expect(at("b begins")).toBeLessThan(at("a ends"));
    expect(at("c begins")).toBeGreaterThan(Math.max(at("a ends"), at("b ends")));
    expect(at("d begins")).toBe(at("c ends") + 1);
    expect(at("e begins")).toBe(at("d ends") + 1);
    expect(at("f begins")).toBeLessThan(at("e ends"));
  });

  it("records results as they finish", async () => {
    const side = await sideOf(traced([]).tools);
    await run(side, [read("slow", 8), read("quick", 1)]);
    expect(side.of("tool.finished").map((one) => one.callId)).toEqual(["quick", "slow"]);
  });

  it("keeps to its cap", async () => {
    const { tools, most } = traced([]);
    const side = await sideOf(tools);
    await run(
      side,
      Array.from({ length: 9 }, (_, i) => read(`r${i}`, 3)),
      { concurrency: 3 },
    );
    expect(most()).toBe(3);
    expect(side.of("tool.finished")).toHaveLength(9);
    const free = traced([]);
    await run(
      await sideOf(free.tools),
      Array.from({ length: 25 }, (_, i) => read(`r${i}`, 5)),
    );
    expect(free.most()).toBe(10);
  });

  it("takes a tool that cannot say whether it is safe for one that is not", async () => {
    const log: string[] = [];
    const { tools } = traced(log);
    const unsure = tools.map((tool) => ({
      ...tool,
      isConcurrencySafe: () => {
        throw new Error("unsure");
      },
    }));
    await run(await sideOf(unsure), [read("a", 4), read("b", 1)]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  it("asks about calls one after the other, each when those before it that write have run", async () => {
    const log: string[] = [];
    const { tools } = traced(log);
    const side = await sideOf(tools, {
      context: {},
      canUseTool: async (_, input) => {
        log.push(`${input.id} asked`);
        await turns(2);
        return { behavior: "allow" };
      },
    });
    await run(side, [write("a"), write("b")]);
    expect(log).toEqual(["a asked", "a begins", "a ends", "b asked", "b begins", "b ends"]);
  });

  it("judges a call on the disk that the calls before it left", async () => {
    const log: string[] = [];
    const { tools } = traced(log);
    const follows = makeTool("follows", {
      targets: (input) => {
        log.push("targets");
        return [{ kind: "name", value: String(input.id) }];
      },
    });
    await run(await sideOf([...tools, follows]), [write("a", 3), call("f", "follows")]);
    expect(log).toEqual(["a begins", "a ends", "targets"]);
  });
});

describe("whatever tools do (property)", () => {
  const kinds = [
    "ok",
    "throws",
    "rejects",
    "nothing",
    "denied",
    "missing",
    "not json",
    "invalid",
    "hangs",
  ] as const;
  const one = fc.record({
    kind: fc.constantFrom(...kinds),
    safe: fc.boolean(),
    turns: fc.nat(3),
    later: fc.boolean(),
  });

  it("each call gets exactly one result, and writers run in source order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (list, concurrency) => {
          const begun: string[] = [];
          const tools = kinds.flatMap((kind) => [true, false].map((safe) => toolOf(kind, safe, begun)));
          const side = await gateKit({
            tools,
            context: bypass,
            rules: { deny: ["denied_safe", "denied_alone"] },
          });
          const calls = list.map((item, i): ToolCallPart => {
            const name = `${item.kind === "not json" ? "ok" : item.kind}_${item.safe ? "safe" : "alone"}`;
            const part = call(`c${i}`, item.kind === "missing" ? "nowhere" : name, {
              id: `c${i}`,
              turns: item.turns,
              later: item.later,
            });
            return item.kind === "not json" ? { ...part, invalidInput: "{" } : part;
          });
          await run(side, calls, { concurrency });
          await side.remove();

          expect(
            side
              .of("tool.finished")
              .map((event) => event.callId)
              .sort(),
          ).toEqual(calls.map((part) => part.id).sort());
          for (const [i, item] of list.entries()) {
            const end = side.of("tool.finished").find((event) => event.callId === `c${i}`);
            expect(end?.isError).toBe(item.kind !== "ok");
            expect(end?.content.length).toBeGreaterThan(0);
          }
          const alone = begun.filter((id) => list[Number(id.slice(1))]?.safe === false);
          expect(alone).toEqual([...alone].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
          const started = new Set(side.of("tool.started").map((event) => event.callId));
          expect([...started].sort()).toEqual([...begun].sort());
        },
      ),
      { numRuns: Math.min(runs, 200) },
    );
  });
});

function toolOf(kind: string, safe: boolean, begun: string[]): ToolDefinition {
  return makeTool(`${kind.replace(" ", "_")}_${safe ? "safe" : "alone"}`, {
    isConcurrencySafe: () => safe,
    ...(kind === "hangs" ? { timeoutMs: 1 } : {}),
    parseInput: (value) =>
      kind === "invalid"
        ? { ok: false, issues: [{ path: "id", message: "is wrong" }] }
        : { ok: true, input: value as never },
    call: (input, context) => {
      begun.push(String(input.id));
      if (kind === "throws") throw new Error("thrown");
      return (async () => {
        if (kind === "hangs") {
          await new Promise((_, reject) => {
            context.signal.addEventListener("abort", () => reject(context.signal.reason));
          });
        }
        await turns(Number(input.turns));
        if (kind === "rejects") throw new Error("rejected");
        return kind === "nothing" ? undefined : { content: [{ type: "text", text: "fine" }] };
      })();
    },
  });
}
