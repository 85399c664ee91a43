import { existsSync } from "node:fs";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live, said, silence } from "../kit/live.ts";
import { checkStand, STANDS, standAt } from "../kit/stands.ts";

describe("close()", () => {
  it.each(STANDS)("while %s: awaits, and the iterator ends without throwing", async (_, make) => {
    const stand = make();
    const session = live("go", stand.options);
    await stand.there;
    await Promise.all([session.query.close(), session.query.close()]);
    await session.query.close();
    expect(await session.ended).toBeUndefined();
    checkStand(session, stand);
    expect(session.results()).toMatchObject([
      { subtype: "error_during_execution", terminal_reason: "closed" },
    ]);
  });

  it("before the start: the one result of a string prompt, and no request", async () => {
    const model = scriptedModel(["never"]);
    const session = live("go", { model });
    await session.query.close();
    expect(await session.ended).toBeUndefined();
    expect(model.requests).toEqual([]);
    expect(session.results()).toMatchObject([{ terminal_reason: "closed" }]);
  });

  it("before the start of a prompt stream: the stream is never read", async () => {
    let isRead = false;
    async function* prompts() {
      isRead = true;
      yield said("a");
    }
    const session = live(prompts(), { model: scriptedModel([]) });
    await session.query.close();
    expect(await session.ended).toBeUndefined();
    expect([isRead, session.results()]).toEqual([false, []]);
  });

  it("between turns, with a prompt stream that waits for ever", async () => {
    async function* prompts() {
      yield said("a");
      await silence();
    }
    const session = live(prompts(), { model: scriptedModel(["one"]) });
    await session.until((message) => message.type === "result");
    await session.query.close();
    expect(await session.ended).toBeUndefined();
    expect(session.results()).toMatchObject([{ result: "one" }]);
  });

  it("after the end does nothing, and `await using` closes", async () => {
    const session = live("go", { model: scriptedModel(["one"]) });
    await session.ended;
    await session.query.close();
    const stand = standAt("the model has not answered yet");
    const other = live("go", stand.options);
    await stand.there;
    await other.query[Symbol.asyncDispose]();
    expect(await other.ended).toBeUndefined();
    expect(other.results()).toMatchObject([{ terminal_reason: "closed" }]);
  });

  it.each(STANDS)("happens when a for-await is left early, while %s", async (_, make) => {
    const stand = make();
    const { query } = live("go", stand.options);
    await stand.there;
    await query.return();
    expect(await query.next()).toEqual({ done: true, value: undefined });
    if (stand.marker !== undefined) expect(existsSync(stand.marker)).toBe(false);
    await expect(query.interrupt()).rejects.toMatchObject({ code: "query_closed" });
  });

  it("happens when the reader's own loop throws", async () => {
    const model = scriptedModel([{ toolCalls: [{ name: "LS" }] }, "never read"]);
    const session = live("go", { model });
    const thrown = await session.query.throw(new Error("mine")).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ message: "mine" });
    expect(await session.query.next()).toEqual({ done: true, value: undefined });
  });
});

describe("abortController", () => {
  it.each(STANDS)("while %s: the result, then AbortError", async (_, make) => {
    const stand = make();
    const abortController = new AbortController();
    const session = live("go", { ...stand.options, abortController });
    await stand.there;
    abortController.abort();
    expect(await session.ended).toMatchObject({ name: "AbortError", code: "aborted" });
    checkStand(session, stand);
    expect(session.messages.at(-1)).toMatchObject({ type: "result", terminal_reason: "aborted" });
    expect(await session.query.next()).toEqual({ done: true, value: undefined });
  });

  it("aborted before the start: the result, then AbortError, and no request", async () => {
    const abortController = new AbortController();
    abortController.abort(new Error("a reason of the program's own"));
    const model = scriptedModel(["never"]);
    const session = live("go", { model, abortController });
    expect(await session.ended).toMatchObject({ name: "AbortError" });
    expect(model.requests).toEqual([]);
    expect(session.results()).toMatchObject([{ terminal_reason: "aborted" }]);
  });

  it("ends a prompt stream that waits for ever, also one that was never read", async () => {
    for (const isEarly of [true, false]) {
      const abortController = new AbortController();
      if (isEarly) abortController.abort();
      async function* prompts() {
        yield said("a");
        await silence();
      }
      const session = live(prompts(), { model: scriptedModel(["one"]), abortController });
      if (!isEarly) {
        await session.until((message) => message.type === "result");
        abortController.abort();
      }
      expect(await session.ended).toMatchObject({ name: "AbortError" });
      expect(session.results()).toHaveLength(isEarly ? 0 : 1);
    }
  });

  it("aborted after the end changes nothing", async () => {
    const abortController = new AbortController();
    const session = live("go", { model: scriptedModel(["one"]), abortController });
    expect(await session.ended).toBeUndefined();
    abortController.abort();
    expect(session.results()).toMatchObject([{ result: "one" }]);
  });
});
