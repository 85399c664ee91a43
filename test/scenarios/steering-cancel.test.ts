import { createHost, type SDKMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { clientOf, response, resultOf } from "../kit/client.ts";
import { gate, live, said } from "../kit/live.ts";

const heard = (model: ReturnType<typeof scriptedModel>, at: number) =>
  (model.requests[at]?.messages ?? []).flatMap(({ role, parts }) =>
    role !== "user" ? [] : parts.map((part) => (part.type === "text" ? part.text : part.type)),
  );

const notes = (messages: readonly SDKMessage[]): string[] =>
  messages.flatMap((each) =>
    each.type === "system" && each.subtype === "notification" ? [each.message] : [],
  );

describe("cancelMessage()", () => {
  it("takes back what waits, says of what was heard that it is too late, and knows no other", async () => {
    const door = gate();
    const model = scriptedModel([() => door.wait().then(() => "one"), "two", "three"]);
    await using client = clientOf({ model });
    await client.query(said("first", { uuid: "first" }));
    await door.reached;
    for (const priority of ["next", "later", "now"] as const) {
      // `now` would cut the turn: it is sent once there is nothing to cut.
      if (priority !== "now") await client.query(said(priority, { uuid: priority, priority }));
    }
    await client.query(said("last", { uuid: "last" }));
    expect(await client.cancelMessage("next")).toEqual({ cancelled: true });
    expect(await client.cancelMessage("later")).toEqual({ cancelled: true });
    expect(await client.cancelMessage("later")).toEqual({ cancelled: false, reason: "unknown" });
    expect(await client.cancelMessage("first")).toEqual({ cancelled: false, reason: "heard" });
    expect(await client.cancelMessage("nobody")).toEqual({ cancelled: false, reason: "unknown" });
    door.open();
    expect(resultOf(await response(client)).result).toBe("one");
    expect(resultOf(await response(client)).result).toBe("two");
    expect(heard(model, 1)).toEqual(["first", "last"]);
    expect(await client.cancelMessage("last")).toEqual({ cancelled: false, reason: "heard" });
    expect(model.requests).toHaveLength(2);
  });

  it("works before the session is open and for a session that never opens, and refuses what is no name", async () => {
    await using client = clientOf({ model: scriptedModel(["one"]) });
    void client.query(said("a", { uuid: "a" }));
    void client.query(said("b", { uuid: "b" }));
    expect(await client.cancelMessage("a")).toEqual({ cancelled: true });
    expect(resultOf(await response(client)).result).toBe("one");
    for (const wrong of ["", 7, undefined]) {
      await expect(client.cancelMessage(wrong as never)).rejects.toMatchObject({
        code: "invalid_option",
        subject: "uuid",
      });
    }
    await client.close();
    await expect(client.cancelMessage("b")).rejects.toMatchObject({ code: "query_closed" });
    const lost = clientOf({ model: scriptedModel([]), resume: "0199a0b0-0000-7000-8000-000000000000" });
    void lost.query(said("a", { uuid: "a" }));
    expect(await lost.cancelMessage("a")).toEqual({ cancelled: true });
    await lost.close();
  });

  it("makes room for a stream that was held at a thousand messages", async () => {
    const door = gate();
    const model = scriptedModel([() => door.wait().then(() => "one")]);
    const session = live("go", { model });
    await door.reached;
    let given = 0;
    async function* endless() {
      for (;;) yield said("x", { uuid: `u${given++}` });
    }
    const fed = session.query.streamInput(endless());
    while (given < 1_000) await new Promise(setImmediate);
    await session.query.cancelMessage("u5");
    await new Promise(setImmediate);
    expect(given).toBe(1_001);
    const closed = session.query.close();
    door.open();
    await Promise.all([closed, fed]);
    // The first five are named, the others counted; they go with the session.
    expect(notes(session.messages)).toEqual([
      "1000 messages were not heard before the session ended: u0, u1, u2, u3, u4 and 995 more.",
    ]);
    expect(session.messages.at(-1)?.type).toBe("result");
  });

  it("is told where the session fails with messages waiting", async () => {
    const door = gate();
    const inner = memoryStore();
    let isBroken = false;
    const store: typeof inner = {
      ...inner,
      append: (batches) => (isBroken ? Promise.reject(new Error("disk full")) : inner.append(batches)),
    };
    const model = scriptedModel([() => door.wait().then(() => "one")]);
    const session = live("go", { model }, createHost({ store }));
    await door.reached;
    async function* one() {
      yield said("never heard");
    }
    await session.query.streamInput(one());
    isBroken = true;
    door.open();
    await session.ended;
    expect(session.results()).toMatchObject([{ subtype: "error_during_execution" }]);
    expect(notes(session.messages)).toContain(
      'A message was not heard before the session ended: "never heard".',
    );
  });
});
