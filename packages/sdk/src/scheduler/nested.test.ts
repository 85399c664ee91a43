import { afterEach, describe, expect, it } from "vitest";
import type { GateKit, GateKitOptions } from "../gate/test-kit.ts";
import { gateKit, makeTool } from "../gate/test-kit.ts";
import type { CalledToolResult, JsonObject, ToolCallPart, ToolDefinition } from "../protocol/index.ts";
import { cancelReason } from "./index.ts";
import { call, hastyPlatform, schedulerKit, textOf } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;
const beside = { isConcurrencySafe: () => true, isReadOnly: () => true } as const;
const tick = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

type Act = (callTool: (name: string, input: JsonObject) => Promise<CalledToolResult>) => Promise<unknown>;

/** A tool that does something with its `callTool`. */
function caller(name: string, act: Act, fields: Partial<ToolDefinition> = {}): ToolDefinition {
  return makeTool(name, {
    call: async (_input, context) => {
      await act(context.callTool);
      return { content: [{ type: "text", text: `${name} done` }] };
    },
    ...fields,
  });
}

async function round(
  tools: readonly ToolDefinition[],
  calls: readonly ToolCallPart[],
  gate: GateKitOptions = {},
  signal: AbortSignal = new AbortController().signal,
) {
  const side = await gateKit({ tools, context: bypass, platform: hastyPlatform(), ...gate });
  kits.push(side);
  const kit = schedulerKit(side);
  const outcome = await kit.scheduler.runRound(calls, "m", signal);
  return { ...kit, side, outcome };
}

describe("a call that a handler makes", () => {
  it("is in the log under the model's call, decided and started before it runs, with its input", async () => {
    const seen: string[] = [];
    const inner = makeTool("inner", {
      call: () => {
        seen.push("ran");
        return { content: [{ type: "text", text: "inner done" }] };
      },
    });
    const outer = caller("outer", async (callTool) => {
      await callTool("inner", { n: 1 });
    });
    const { side } = await round([inner, outer], [call("1", "outer")]);
    const ofChild = side.events.flatMap(({ type, data }) =>
      (data as { callId?: string }).callId === "1.1" ? [[type, data]] : [],
    );
    expect(ofChild).toMatchObject([
      ["tool.decided", { parent: "1", input: { n: 1 }, behavior: "allow" }],
      ["tool.started", { parent: "1", repeatable: false }],
      ["tool.finished", { parent: "1", outcome: "finished" }],
    ]);
    expect(seen).toEqual(["ran"]);
    expect(side.of("tool.finished").map(({ callId }) => callId)).toEqual(["1.1", "1"]);
    expect(side.of("tool.finished")[1]).not.toHaveProperty("parent");
  });

  it("gives back what a handler may return: images, files and structured data among it", async () => {
    const results: CalledToolResult[] = [];
    const inner = makeTool("inner", {
      call: async (_input, { artifacts }) => {
        const image = await artifacts.put(new Uint8Array([1]), "image/png");
        const file = await artifacts.put("x", "text/plain");
        const block = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
        return {
          content: [{ type: "text", text: "here" }, block],
          images: [image],
          artifacts: [file],
          structuredContent: { n: 1 },
        };
      },
    });
    const outer = makeTool("outer", {
      call: async (_input, { callTool }) => {
        const result = await callTool("inner", {});
        results.push(result);
        return result;
      },
    });
    const { side } = await round([inner, outer], [call("1", "outer")]);
    const [result] = results;
    expect(result).toMatchObject({
      isError: false,
      structuredContent: { n: 1 },
      images: [{ mediaType: "image/png" }],
      artifacts: [{ mediaType: "text/plain" }],
    });
    expect(result?.content).toContainEqual({ type: "image", data: "AAAA", mimeType: "image/png" });
    expect(side.of("tool.finished").at(-1)).toMatchObject({ callId: "1", isError: false });
  });

  it("runs alone where its tool must, and beside others where it may, ten at most", async () => {
    const peak = async (fields: Partial<ToolDefinition>, owner: Partial<ToolDefinition>): Promise<number> => {
      let running = 0;
      let most = 0;
      const inner = makeTool("inner", {
        ...fields,
        call: async () => {
          running += 1;
          most = Math.max(most, running);
          await tick();
          running -= 1;
          return { content: [] };
        },
      });
      const many: Act = (callTool) =>
        Promise.all(Array.from({ length: 12 }, (_, n) => callTool("inner", { n })));
      const tools = [inner, caller("one", many, owner), caller("two", many, owner)];
      await round(tools, [call("1", "one"), call("2", "two")]);
      return most;
    };
    expect(await peak({}, {})).toBe(1);
    // Two handlers that run beside each other still call writers one at a time.
    expect(await peak({}, beside)).toBe(1);
    expect(await peak(beside, {})).toBe(10);
  });

  it("may call on, eight levels deep, without waiting for itself", async () => {
    const depths: number[] = [];
    let last: CalledToolResult | undefined;
    const deep = makeTool("deep", {
      call: async (input, { callTool }) => {
        depths.push(Number(input.n));
        const result = await callTool("deep", { n: Number(input.n) + 1 });
        if (result.isError) last ??= result;
        return result;
      },
    });
    await round([deep], [call("1", "deep", { n: 0 })]);
    expect(depths).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(last?.content[0]).toMatchObject({ text: expect.stringContaining("8 levels deep") });
  });

  it("is refused once its owner has ended, after a thousand others, and for what is no call", async () => {
    let late: ((name: string, input: JsonObject) => Promise<CalledToolResult>) | undefined;
    const texts: string[] = [];
    const say = (result: CalledToolResult): void => {
      texts.push(JSON.stringify(result.content));
      expect(result.isError).toBe(true);
    };
    const inner = makeTool("inner", beside);
    const outer = caller("outer", async (callTool) => {
      late = callTool;
      say(await callTool("", {}));
      say(await callTool("inner", 5 as never));
      say(await callTool("inner", { at: 1n } as never));
      for (let i = 0; i < 1_000; i++) await callTool("inner", { i });
      say(await callTool("inner", {}));
    });
    await round([inner, outer], [call("1", "outer")]);
    say((await late?.("inner", {})) ?? { content: [], isError: false });
    expect(texts).toEqual([
      expect.stringContaining("name of a tool is missing"),
      expect.stringContaining("must be an object"),
      expect.stringContaining("not JSON"),
      expect.stringContaining("1000 others at most"),
      expect.stringContaining("has ended"),
    ]);
    expect(inner.ran).toHaveLength(1_000);
  });

  it("stops with its owner, and knows why", async () => {
    const controller = new AbortController();
    const codes: unknown[] = [];
    const inner = makeTool("inner", {
      call: async (_input, { signal }) => {
        setTimeout(() => controller.abort(cancelReason("interrupt")), 1);
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        codes.push((signal.reason as { code: unknown }).code);
        return { content: [{ type: "text", text: "half" }] };
      },
    });
    const outer = makeTool("outer", { call: async (_input, { callTool }) => callTool("inner", {}) });
    const { side, outcome } = await round([inner, outer], [call("1", "outer")], {}, controller.signal);
    expect([codes, outcome]).toEqual([["interrupt"], { interrupted: { by: "signal" } }]);
    expect(textOf(side.of("tool.finished").at(-1))).toBe("half");
  });

  it("has one result also when Castellan itself fails on it, and the handler and the round go on", async () => {
    const results: CalledToolResult[] = [];
    const inner = makeTool("inner");
    const outer = caller("outer", async (callTool) => {
      results.push(await callTool("inner", { n: 1 }), await callTool("inner", { n: 2 }));
      results.push(await callTool("inner", { n: 3 }));
    });
    const whole = await gateKit({ tools: [inner, outer], context: bypass });
    kits.push(whole);
    let looks = 0;
    const { gate } = whole;
    const authorise = gate.authorise.bind(gate);
    const isCurrent = gate.isCurrent.bind(gate);
    gate.authorise = (given, scope) =>
      given.id === "1.1" ? Promise.reject(new RangeError("too deep")) : authorise(given, scope);
    gate.isCurrent = (verdict) => {
      // The second look at it, behind its start in the log.
      if (verdict.input.n === 2 && ++looks === 2) throw new RangeError("out of reach");
      return isCurrent(verdict);
    };
    const { scheduler } = schedulerKit({ ...whole, gate });
    const calls = [call("1", "outer"), call("2", "inner")];
    const outcome = await scheduler.runRound(calls, "m", new AbortController().signal);
    expect(outcome).toEqual({});
    expect(whole.of("tool.started").map(({ callId }) => callId)).toEqual(["1", "1.2", "1.3", "2"]);
    const finished = whole.of("tool.finished");
    expect(finished.map(({ callId, outcome: end }) => [callId, end])).toEqual([
      ["1.1", "failed"],
      ["1.2", "failed"],
      ["1.3", "finished"],
      ["1", "finished"],
      ["2", "finished"],
    ]);
    expect(finished[1]).toMatchObject({ parent: "1", name: "inner" });
    expect(textOf(finished[0])).toContain("failed while it judged this call: too deep");
    expect(textOf(finished[1])).toContain("failed while it ran this call: out of reach");
    expect(results.map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(inner.ran).toEqual([{ n: 3 }, {}]);
  });

  it("that reaches outside is marked so in the log", async () => {
    const far = makeTool("far", { isOpenWorld: () => true });
    const { side } = await round([far, makeTool("near")], [call("1", "far"), call("2", "near")]);
    expect(side.of("tool.decided").map(({ openWorld }) => openWorld)).toEqual([true, undefined]);
  });
});
