import { createHost, type SDKMessage } from "@castellan/sdk";
import { fakeClock, type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { scratch } from "../kit/session.ts";

const refused: ScriptStep = { error: "slow down", failure: { status: 429, retryAfterMs: 300_000 } };

function setUp() {
  const clock = fakeClock();
  const host = createHost({ platform: { clock, random: () => 0 } });
  const cwd = scratch();
  const begin = (steps: readonly ScriptStep[]) => {
    const model = { ...scriptedModel(steps), limitKey: "one provider" };
    const messages: SDKMessage[] = [];
    const session = host.query({ prompt: "go", options: { model, cwd, persistSession: false } });
    const ended = (async () => {
      for await (const message of session) messages.push(message);
    })();
    return { session, messages, ended };
  };
  return { clock, host, begin };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

const told = (messages: readonly SDKMessage[]) =>
  messages.filter((each) => each.type === "system" && each.subtype === "status");
const retried = (messages: readonly SDKMessage[]) =>
  messages.some((each) => each.type === "system" && each.subtype === "api_retry");
const result = (messages: readonly SDKMessage[]) => messages.find((each) => each.type === "result");

describe("a session whose request is held back", () => {
  it("tells its reader once, with the least wait, and goes on by itself", async () => {
    const { clock, host, begin } = setUp();
    const first = begin([refused, "one"]);
    await until(() => retried(first.messages));
    const before = clock.pending;
    const second = begin(["two"]);
    await until(() => clock.pending > before + 1);
    expect(told(second.messages)).toEqual([]);
    clock.advance(1_000);
    await until(() => told(second.messages).length > 0);
    expect(told(second.messages)).toEqual([
      expect.objectContaining({
        permissionMode: "default",
        held_back: { model: "scripted", least_wait_ms: 299_000 },
      }),
    ]);
    clock.advance(299_000);
    await Promise.all([first.ended, second.ended]);
    expect(result(first.messages)).toMatchObject({ result: "one" });
    expect(result(second.messages)).toMatchObject({ result: "two" });
    expect(told(second.messages)).toHaveLength(1);
    expect(clock.pending).toBe(0);
    await host.close();
  });

  it("says nothing of a wait that is short or cut off", async () => {
    const { clock, host, begin } = setUp();
    const first = begin([refused, "one"]);
    await until(() => retried(first.messages));
    clock.advance(299_500);
    const before = clock.pending;
    const second = begin(["two"]);
    await until(() => clock.pending > before);
    clock.advance(500);
    await Promise.all([first.ended, second.ended]);
    expect(result(second.messages)).toMatchObject({ result: "two" });
    expect(told(second.messages)).toEqual([]);

    const third = begin([refused, "three"]);
    await until(() => retried(third.messages));
    const now = clock.pending;
    const fourth = begin(["four"]);
    await until(() => clock.pending > now + 1);
    await fourth.session.interrupt();
    await fourth.ended;
    expect(told(fourth.messages)).toEqual([]);
    expect(clock.pending).toBe(now + 0);
    await third.session.close();
    await host.close();
  });
});
