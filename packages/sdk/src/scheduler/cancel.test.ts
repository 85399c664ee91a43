import { afterEach, describe, expect, it } from "vitest";
import type { GateKit, GateKitOptions } from "../gate/test-kit.ts";
import { gateKit, makeTool } from "../gate/test-kit.ts";
import type { EventData, ToolCallPart, ToolDefinition } from "../protocol/index.ts";
import type { RoundOutcome, SchedulerDeps } from "./index.ts";
import { cancelCode, cancelReason } from "./index.ts";
import { call, hastyPlatform, schedulerKit, textOf } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;
const never = new Promise<never>(() => {});

interface Ran {
  readonly outcome: RoundOutcome;
  readonly side: GateKit;
  result(id: string): EventData<"tool.finished"> | undefined;
}

/** Runs a round; `until` resolves when it is time to abort with `reason`. */
async function interrupted(
  tools: readonly ToolDefinition[],
  calls: readonly ToolCallPart[],
  until: Promise<unknown> | undefined,
  gate: GateKitOptions = {},
  reason: unknown = cancelReason("interrupt"),
  more: (side: GateKit) => Partial<SchedulerDeps> = () => ({}),
): Promise<Ran> {
  const side = await gateKit({ tools, context: bypass, platform: hastyPlatform(), ...gate });
  kits.push(side);
  const controller = new AbortController();
  const round = schedulerKit(side, more(side)).scheduler.runRound(calls, "m", controller.signal);
  if (until !== undefined) {
    await until;
    controller.abort(reason);
  }
  const outcome = await round;
  const finished = side.of("tool.finished");
  expect(finished.map((one) => one.callId).sort()).toEqual(calls.map((part) => part.id).sort());
  return { outcome, side, result: (id) => finished.find((one) => one.callId === id) };
}

/** Something to wait for, and the call that ends the wait. */
function gong(): { rung: Promise<void>; ring: () => void } {
  let ring = (): void => {};
  const rung = new Promise<void>((resolve) => {
    ring = resolve;
  });
  return { rung, ring };
}

describe("an interrupt", () => {
  it("before the round cancels every call", async () => {
    const tool = makeTool("act");
    const side = await gateKit({ tools: [tool], context: bypass });
    kits.push(side);
    const { scheduler } = schedulerKit(side);
    const outcome = await scheduler.runRound(
      [call("1", "act"), call("2", "act")],
      "m",
      AbortSignal.abort(cancelReason("close")),
    );
    expect(outcome).toEqual({ interrupted: { by: "signal" } });
    expect(side.of("tool.finished").map((one) => [one.callId, one.outcome])).toEqual([
      ["1", "cancelled"],
      ["2", "cancelled"],
    ]);
    expect(textOf(side.of("tool.finished")[0])).toBe("This call did not run: the session was closed.");
    expect(tool.ran).toEqual([]);
  });

  it("ends the wait for a person, and later calls do not run", async () => {
    const { rung, ring } = gong();
    const tool = makeTool("act");
    const ran = await interrupted([tool], [call("1", "act"), call("2", "act")], rung, {
      context: {},
      canUseTool: () => {
        ring();
        return never;
      },
    });
    expect(ran.outcome).toEqual({ interrupted: { by: "signal" } });
    expect(ran.result("1")).toMatchObject({ outcome: "cancelled", isError: true });
    expect(ran.result("2")).toMatchObject({ outcome: "cancelled", isError: true });
    expect(tool.ran).toEqual([]);
  });

  it("ends the wait for a hook", async () => {
    const { rung, ring } = gong();
    const hook = (): Promise<never> => {
      ring();
      return never;
    };
    const ran = await interrupted([makeTool("act")], [call("1", "act")], rung, {
      hooks: { PreToolUse: [{ hooks: [hook] }] },
    });
    expect(ran.result("1")).toMatchObject({ outcome: "cancelled" });
  });

  it("during the write of the start lets nothing run", async () => {
    const { rung, ring } = gong();
    const tool = makeTool("act");
    const ran = await interrupted(
      [tool],
      [call("1", "act")],
      rung,
      {},
      cancelReason("interrupt"),
      (side) => ({
        recorder: {
          ...side.recorder,
          barrier: async () => {
            ring();
            await new Promise(setImmediate);
          },
        },
      }),
    );
    expect(ran.result("1")).toMatchObject({ outcome: "cancelled" });
    expect(tool.ran).toEqual([]);
  });

  it.each<["block" | "cancel", object, RegExp]>([
    ["block", { outcome: "finished", isError: false }, /^as far as I came$/],
    ["cancel", { outcome: "cancelled", isError: true }, /the run was interrupted.*dropped/],
  ])("lets a %s tool that watches the signal answer", async (behavior, expected, text) => {
    const { rung, ring } = gong();
    let code: unknown;
    const tool = makeTool("act", {
      interruptBehavior: () => behavior,
      call: async (_, { signal }) => {
        await new Promise((resolve) => {
          signal.addEventListener("abort", resolve);
          ring();
        });
        code = signal.reason.code;
        return { content: [{ type: "text", text: "as far as I came" }] };
      },
    });
    const ran = await interrupted([tool], [call("1", "act")], rung);
    expect(ran.result("1")).toMatchObject(expected);
    expect(textOf(ran.result("1"))).toMatch(text);
    expect(code).toBe("interrupt");
  });

  it("cancels a call that throws on it, and one that never settles", async () => {
    const { rung, ring } = gong();
    const hung = makeTool("hung", { isConcurrencySafe: () => true, call: () => never });
    const throwing = makeTool("throwing", {
      isConcurrencySafe: () => true,
      call: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          ring();
        }),
    });
    const ran = await interrupted([hung, throwing], [call("1", "hung"), call("2", "throwing")], rung);
    expect(textOf(ran.result("1"))).toMatch(/cancelled: the run was interrupted. It did not stop in time/);
    expect(textOf(ran.result("2"))).toMatch(/cancelled: the run was interrupted. It may have done a part/);
    expect([ran.result("1")?.outcome, ran.result("2")?.outcome]).toEqual(["cancelled", "cancelled"]);
  });

  it("swallows what a given-up call does later", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    const { rung, ring } = gong();
    let reject: (error: Error) => void = () => {};
    const tool = makeTool("act", {
      call: () => {
        ring();
        return new Promise((_, no) => {
          reject = no;
        });
      },
    });
    const ran = await interrupted([tool], [call("1", "act")], rung);
    reject(new Error("much later"));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
    expect(ran.side.of("tool.finished")).toHaveLength(1);
  });

  it("that the call itself brings about is seen too", async () => {
    const controller = new AbortController();
    const tool = makeTool("act", {
      call: () => {
        controller.abort(cancelReason("abort"));
        return never;
      },
    });
    const side = await gateKit({ tools: [tool], context: bypass, platform: hastyPlatform() });
    kits.push(side);
    await schedulerKit(side).scheduler.runRound([call("1", "act")], "m", controller.signal);
    expect(side.of("tool.finished")).toMatchObject([{ outcome: "cancelled" }]);
  });

  it("without a code counts as abort", () => {
    expect(cancelCode(AbortSignal.abort())).toBe("abort");
    expect(cancelCode(AbortSignal.abort({ code: "__proto__" }))).toBe("abort");
    expect(cancelCode(AbortSignal.abort(cancelReason("new_message")))).toBe("new_message");
  });
});

describe("a time limit", () => {
  it("ends a call that never settles", async () => {
    const tool = makeTool("act", { timeoutMs: 500, call: () => never });
    const ran = await interrupted([tool, makeTool("next")], [call("1", "act"), call("2", "next")], undefined);
    expect(ran.outcome).toEqual({});
    expect(ran.result("1")).toMatchObject({ outcome: "failed", isError: true });
    expect(textOf(ran.result("1"))).toMatch(/^act timed out after 500 ms and was stopped. It did not stop/);
    expect(ran.result("2")).toMatchObject({ outcome: "finished" });
  });

  it("gives what the call returns when it is told to stop", async () => {
    let code: unknown;
    const tool = makeTool("act", {
      timeoutMs: 500,
      call: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            code = signal.reason.code;
            resolve({ content: [{ type: "text", text: "half" }] });
          });
        }),
    });
    const ran = await interrupted([tool], [call("1", "act")], undefined);
    expect(code).toBe("timeout");
    expect(textOf(ran.result("1"))).toMatch(/^half\n\[Stopped after 500 ms/);
  });

  it("shows a tool that looks late that it was stopped", async () => {
    let aborted: unknown;
    const tool = makeTool("act", {
      timeoutMs: 50,
      call: async (_, context) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        aborted = context.signal.aborted;
        throw new Error("stopped");
      },
    });
    const ran = await interrupted([tool], [call("1", "act")], undefined);
    expect(aborted).toBe(true);
    expect(textOf(ran.result("1"))).toMatch(/^act timed out after 50 ms and was stopped.$/);
  });
});

describe("a refusal with interrupt", () => {
  it("stops what runs, and the calls behind it get their results", async () => {
    const look = makeTool("look", {
      isConcurrencySafe: () => true,
      isReadOnly: () => true,
      call: () => never,
    });
    const act = makeTool("act");
    const ran = await interrupted(
      [look, act],
      [call("1", "look"), call("2", "act"), call("3", "act")],
      undefined,
      {
        context: {},
        rules: { allow: ["look"] },
        canUseTool: () => ({ behavior: "deny", message: "stop all this", interrupt: true }),
      },
    );
    expect(ran.outcome).toEqual({ interrupted: { by: "denied_interrupt" } });
    expect(ran.result("1")).toMatchObject({ outcome: "cancelled" });
    expect(ran.result("2")).toMatchObject({ outcome: "denied" });
    expect(textOf(ran.result("2"))).toBe("stop all this");
    expect(ran.result("3")).toMatchObject({ outcome: "cancelled" });
    expect(textOf(ran.result("3"))).toMatch(/did not run: another call was refused and the run interrupted/);
    expect(act.ran).toEqual([]);
  });

  it("without interrupt lets the siblings go on", async () => {
    const act = makeTool("act");
    const ran = await interrupted([act], [call("1", "act", { no: true }), call("2", "act")], undefined, {
      context: {},
      canUseTool: (_, input) =>
        input.no === true ? { behavior: "deny", message: "no" } : { behavior: "allow" },
    });
    expect(ran.outcome).toEqual({});
    expect(ran.result("1")).toMatchObject({ outcome: "denied" });
    expect(ran.result("2")).toMatchObject({ outcome: "finished" });
  });
});
