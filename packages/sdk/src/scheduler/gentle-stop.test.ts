import { afterEach, describe, expect, it } from "vitest";
import type { GateKit, GateKitOptions } from "../gate/test-kit.ts";
import { gateKit, makeTool } from "../gate/test-kit.ts";
import type { EventData, ToolCallPart, ToolDefinition } from "../protocol/index.ts";
import { cancelReason, gentleReason } from "./index.ts";
import { call, hastyPlatform, schedulerKit, textOf } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;
const never = new Promise<never>(() => {});

interface Ran {
  result(id: string): EventData<"tool.finished"> | undefined;
}

/** Something to wait for, and the call that ends the wait. */
function gong(): { rung: Promise<void>; ring: () => void } {
  let ring = (): void => {};
  const rung = new Promise<void>((resolve) => {
    ring = resolve;
  });
  return { rung, ring };
}

describe("a new message that lets calls finish", () => {
  /** Runs a round; a gentle stop comes once `rung` has, and `then` is called with the harder one. */
  async function gentle(
    tools: readonly ToolDefinition[],
    calls: readonly ToolCallPart[],
    rung: Promise<void>,
    then: (harder: AbortController) => void | Promise<void>,
    gate: GateKitOptions = {},
  ): Promise<Ran> {
    const side = await gateKit({ tools, context: bypass, platform: hastyPlatform(), ...gate });
    kits.push(side);
    const [outer, harder] = [new AbortController(), new AbortController()];
    const round = schedulerKit(side).scheduler.runRound(calls, "m", outer.signal);
    await rung;
    outer.abort(gentleReason(harder.signal));
    await then(harder);
    const outcome = await round;
    expect(outcome).toEqual({ interrupted: { by: "signal" } });
    const finished = side.of("tool.finished");
    expect(finished.map((one) => one.callId).sort()).toEqual(calls.map((part) => part.id).sort());
    return { result: (id) => finished.find((one) => one.callId === id) };
  }

  const sides = (release: Promise<void>, ring: () => void) =>
    (["block", "cancel"] as const).map((behavior) =>
      makeTool(behavior, {
        isConcurrencySafe: () => true,
        interruptBehavior: () => behavior,
        call: async (_, { signal }) => {
          if (behavior === "cancel") ring();
          await Promise.race([release, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
          return {
            content: [{ type: "text", text: signal.aborted ? `cut by ${signal.reason.code}` : "whole" }],
          };
        },
      }),
    );
  const both = [call("1", "block"), call("2", "cancel"), call("3", "block")];

  it("stops those that say cancel at once; the others end by themselves, with their hooks", async () => {
    const { rung, ring } = gong();
    const { rung: release, ring: letGo } = gong();
    let seen = 0;
    const ran = await gentle(
      sides(release, ring),
      both.slice(0, 2),
      rung,
      async () => {
        await new Promise(setImmediate);
        letGo();
      },
      {
        hooks: {
          PostToolUse: [
            {
              hooks: [
                async (_, __, { signal }) => {
                  seen += 1;
                  await new Promise(setImmediate);
                  return signal.aborted
                    ? {}
                    : { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "seen" } };
                },
              ],
            },
          ],
        },
      },
    );
    expect(ran.result("1")).toMatchObject({ outcome: "finished", isError: false, context: ["seen"] });
    expect(textOf(ran.result("1"))).toBe("whole");
    expect(ran.result("2")).toMatchObject({ outcome: "cancelled" });
    expect(seen).toBe(1);
  });

  it("followed by one that does not, stops them too, and counts their grace from there", async () => {
    const { rung, ring } = gong();
    const ran = await gentle(sides(never, ring), both.slice(0, 2), rung, (harder) => {
      harder.abort(cancelReason("interrupt"));
    });
    expect(textOf(ran.result("1"))).toBe("cut by interrupt");
    const hung = gong();
    const stuck = makeTool("stuck", {
      call: () => {
        hung.ring();
        return never;
      },
    });
    const left = await gentle([stuck], [call("1", "stuck")], hung.rung, (harder) => {
      harder.abort(cancelReason("close"));
    });
    expect(textOf(left.result("1"))).toMatch(/cancelled: the session was closed. It did not stop in time/);
  });

  it("lets nothing begin any more", async () => {
    const { rung, ring } = gong();
    const { rung: release, ring: letGo } = gong();
    const first = makeTool("first", {
      call: async () => {
        ring();
        await release;
        return { content: [{ type: "text", text: "whole" }] };
      },
    });
    const act = makeTool("act");
    const ran = await gentle([first, act], [call("1", "first"), call("2", "act")], rung, letGo);
    expect(textOf(ran.result("1"))).toBe("whole");
    expect(textOf(ran.result("2"))).toBe("This call did not run: a new message came.");
    expect(act.ran).toEqual([]);
  });
});
