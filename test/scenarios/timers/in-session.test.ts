import { createHost, type Options, type SDKMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { hurriedClock } from "../../kit/hurried-clock.ts";
import { play } from "../../kit/played.ts";
import { scratch } from "../../kit/session.ts";

const call = (name: string, input: Record<string, unknown>): ScriptStep => ({
  toolCalls: [{ name, input }],
});
const TOOLS = ["Bash", "CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "Sleep"];
const FREE: Options = { tools: TOOLS, allowedTools: TOOLS };

describe("Sleep", () => {
  it("rests and goes on, and log and store forget it then", async () => {
    const store = memoryStore();
    const { clock, waits } = hurriedClock();
    const host = createHost({ store, platform: { clock } });
    const begun = clock.now();
    const { result, messages, sessionId } = await play(
      host,
      [call("Sleep", { seconds: 3600 }), "done"],
      FREE,
    );
    expect(result).toMatchObject({ subtype: "success", result: "done" });
    expect(clock.now() - begun).toBeGreaterThanOrEqual(3_600_000);
    const kinds = messages.map((m) => ("subtype" in m ? m.subtype : m.type));
    expect(kinds).toEqual(expect.arrayContaining(["timer_set", "timer_fired"]));
    const text = JSON.stringify(messages);
    expect(text).toContain("Slept for 1 h.");
    expect(await store.wakes.list(sessionId)).toEqual([]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
  });
});

describe("ScheduleWakeup", () => {
  it("starts a turn of its own in a session that stays open", async () => {
    const store = memoryStore();
    const { clock } = hurriedClock();
    const host = createHost({ store, platform: { clock } });
    const model = scriptedModel([
      call("ScheduleWakeup", { seconds: 90, prompt: "Look at the build." }),
      "set",
      "looked",
    ]);
    const client = host.client({ ...FREE, model, cwd: scratch() });
    await client.query("go");
    const results: SDKMessage[] = [];
    for await (const message of client.receiveMessages()) {
      if (message.type === "result") results.push(message);
      if (results.length === 2) break;
    }
    await client.close();
    expect(results).toMatchObject([{ result: "set" }, { result: "looked", woken: true, num_turns: 1 }]);
    const last = model.requests[2]?.messages.at(-1);
    expect(JSON.stringify(last)).toMatch(
      /not from the user: wake-up timer_\w+, due at .*\]\\n\\nLook at the build\./,
    );
  });
});
