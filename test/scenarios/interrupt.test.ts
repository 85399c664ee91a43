import type { SDKUserMessage } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live, said } from "../kit/live.ts";
import { checkStand, STANDS, standAt } from "../kit/stands.ts";

describe("interrupt()", () => {
  it.each(STANDS)("while %s: an error result, and a prompt stream goes on", async (_, make) => {
    const stand = make();
    const more = gate();
    async function* prompts() {
      yield said("a");
      await more.wait();
      yield said("b");
    }
    const session = live(prompts(), stand.options);
    await stand.there;
    await session.query.interrupt();
    await session.until((message) => message.type === "result");
    more.open();
    expect(await session.ended).toBeUndefined();
    checkStand(session, stand);
    expect(session.results()).toMatchObject([
      { subtype: "error_during_execution", is_error: true, terminal_reason: "interrupted" },
      { subtype: "success", result: "again" },
    ]);
  });

  it.each(STANDS)("while %s ends a string prompt", async (_, make) => {
    const stand = make();
    const session = live("go", stand.options);
    await stand.there;
    await session.query.interrupt();
    expect(await session.ended).toBeUndefined();
    checkStand(session, stand);
    expect(session.results()).toMatchObject([{ terminal_reason: "interrupted" }]);
    expect(session.results()[0]).not.toHaveProperty("result");
  });

  it("in mid-stream keeps what was said", async () => {
    const stand = standAt("the model streams");
    const session = live("go", stand.options);
    await stand.there;
    await session.query.interrupt();
    await session.ended;
    const assistant = session.messages.find((message) => message.type === "assistant");
    expect(assistant?.message).toMatchObject({
      content: [{ type: "text", text: "half a sentence" }],
      stop_reason: null,
    });
  });

  it("before a string prompt has begun stops its turn: the model is never asked", async () => {
    const model = scriptedModel(["never"]);
    const session = live("go", { model });
    await session.query.interrupt();
    expect(await session.ended).toBeUndefined();
    expect(model.requests).toEqual([]);
    expect(session.results()).toMatchObject([{ terminal_reason: "interrupted", num_turns: 0 }]);
  });

  it("between turns does nothing", async () => {
    const more = gate();
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield said("a");
      await more.wait();
      yield said("b");
    }
    const session = live(prompts(), { model: scriptedModel(["one", "two"]) });
    await session.until((message) => message.type === "result");
    await session.query.interrupt();
    more.open();
    expect(await session.ended).toBeUndefined();
    expect(session.results().map((result) => result.result)).toEqual(["one", "two"]);
  });

  it("after the end is an error that names the way on", async () => {
    const session = live("go", { model: scriptedModel(["one"]) });
    await session.ended;
    for (const act of [
      () => session.query.interrupt(),
      () => session.query.setPermissionMode("plan"),
      () => session.query.addDirectories(["/tmp"]),
    ]) {
      await expect(act()).rejects.toMatchObject({
        code: "query_closed",
        fix: expect.stringMatching(/resume/),
      });
    }
  });
});
