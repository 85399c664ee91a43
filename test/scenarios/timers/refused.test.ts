import { createHost, type Options, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { fakeClock, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live } from "../../kit/live.ts";
import { scratch } from "../../kit/session.ts";
import { MINUTE, MONDAY, TIMER_TOOLS } from "../../kit/timed.ts";

const act = tool("act", "Acts.", {}, () => ({ content: [{ type: "text", text: "done" }] }));

/** A session that was closed while one of its calls slept and the other waited in the inbox; its sleep is over by now. */
async function leftAsleep() {
  const clock = fakeClock(MONDAY);
  const store = memoryStore({ clock });
  const host = createHost({ store, platform: { clock } });
  const tools = [...TIMER_TOOLS, act];
  const options: Options = { cwd: scratch(), tools, allowedTools: TIMER_TOOLS, approvals: "durable" };
  const calls = [{ name: "act" }, { name: "Sleep", input: { seconds: 60 } }];
  const first = live("go", { ...options, model: scriptedModel([{ toolCalls: calls }]) }, host);
  await first.until((message) => "subtype" in message && message.subtype === "timer_set");
  await first.query.close();
  const sessionId = first.messages[0]?.session_id ?? "";
  clock.advance(2 * MINUTE);
  expect(await store.wakes.list(sessionId)).toHaveLength(1);
  /** It goes on where Sleep is forbidden meanwhile. */
  const resumed = { ...options, resume: sessionId, allowedTools: [], disallowedTools: ["Sleep"] };
  return { store, host, sessionId, resumed };
}

describe("a Sleep that goes on where it is refused", () => {
  it("makes no turn of its own while another call waits", async () => {
    const { host, resumed } = await leftAsleep();
    let letGo = (): void => {};
    async function* nothing() {
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
    }
    const approvals = { mode: "durable", onPending: "pause" } as const;
    const options: Options = { ...resumed, approvals, model: scriptedModel([]) };
    const second = live(nothing(), options, host);
    await second.until((message) => message.type === "result");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(second.results().map(({ subtype }) => subtype)).toEqual(["paused"]);
    letGo();
    await second.ended;
  });

  it("leaves nothing in the store", async () => {
    const { store, host, resumed, sessionId } = await leftAsleep();
    const canUseTool: Options["canUseTool"] = async () => ({ behavior: "deny", message: "no" });
    const options: Options = { ...resumed, approvals: "callback", canUseTool, model: scriptedModel(["so"]) };
    const second = live("", options, host);
    await second.ended;
    expect(second.results()).toMatchObject([{ result: "so" }]);
    expect(await store.wakes.list(sessionId)).toEqual([]);
  });
});
