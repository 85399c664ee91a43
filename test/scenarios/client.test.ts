import { AgentClient, type Client, createHost, type SDKMessage, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it, vi } from "vitest";
import { ask, clientOf, kinds, response, resultOf } from "../kit/client.ts";
import { gate, said, silence, storedTypes, streaming } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";
import { checkStand, STANDS } from "../kit/stands.ts";

const texts = (model: ReturnType<typeof scriptedModel>, at: number) =>
  (model.requests[at]?.messages ?? []).flatMap(({ parts }) =>
    parts.map((part) => (part.type === "text" ? part.text : part.type)),
  );

describe("a client", () => {
  it("takes several turns and keeps the context", async () => {
    const model = scriptedModel(["one", { toolCalls: [{ name: "LS" }] }, "two", "three"]);
    await using client = clientOf({ model, allowedTools: ["LS"] });
    const responses = [await ask(client, "a"), await ask(client, "b"), await ask(client, "c")];
    for (const messages of responses) assertComplete(messages);
    expect(responses.map((messages) => resultOf(messages).result)).toEqual(["one", "two", "three"]);
    expect(texts(model, 3)).toEqual(["a", "one", "b", "toolCall", "toolResult", "two", "c"]);
    expect(kinds(responses[0] ?? [])).toEqual(["system/init", "assistant", "result/success"]);
    expect(new Set(responses.flat().map((message) => message.session_id)).size).toBe(1);
  });

  it("checks its options at once, and begins with the first use only", async () => {
    expect(() => new AgentClient({ deniedTools: ["Bash"] } as never)).toThrow(/Did you mean disallowedTools/);
    const store = memoryStore();
    const client = clientOf({ model: scriptedModel(["one"]) }, createHost({ store }));
    await client.interrupt();
    await client.close();
    expect(await store.list()).toEqual([]);
    expect(await response(client)).toEqual([]);
    await expect(client.query("late")).rejects.toMatchObject({ code: "query_closed" });
    await expect(client.interrupt()).rejects.toMatchObject({ code: "query_closed" });
  });

  it("of the default host is the same thing", async () => {
    const client = new AgentClient({ model: scriptedModel(["one", "two"]), persistSession: false });
    try {
      expect(resultOf(await ask(client, "a")).result).toBe("one");
      expect(resultOf(await ask(client, said("b"))).result).toBe("two");
    } finally {
      await client.close();
    }
  });

  it("has every control method of a query", () => {
    const own = (object: object): string[] => {
      const names: string[] = [];
      for (let at = Object.getPrototypeOf(object); at !== Object.prototype; at = Object.getPrototypeOf(at)) {
        names.push(...Object.getOwnPropertyNames(at));
      }
      return names.filter((name) => !["constructor", "next", "return", "throw"].includes(name));
    };
    const host = createHost({ store: memoryStore() });
    const query = own(host.query({ prompt: "go", options: { model: scriptedModel(["one"]) } }));
    expect(query.length).toBeGreaterThan(5);
    expect(own(new AgentClient())).toEqual(expect.arrayContaining(query));
    expect(own(host.client())).toEqual(expect.arrayContaining(query));
  });

  it("says what is wrong with a prompt, and goes on", async () => {
    await using client = clientOf({ model: scriptedModel(["one"]) });
    for (const wrong of ["", "  ", 5, undefined, ["a"], { type: "user" }]) {
      await expect(client.query(wrong as never)).rejects.toMatchObject({ code: "invalid_option" });
    }
    expect(resultOf(await ask(client, "a")).result).toBe("one");
  });

  it("tells what keeps it from beginning as the result of the first question", async () => {
    const client = clientOf({ model: scriptedModel(["never"]), resume: "nobody" });
    expect(resultOf(await ask(client, "a"))).toMatchObject({
      is_error: true,
      terminal_reason: "session_not_found",
    });
    expect(await response(client)).toEqual([]);
    await expect(client.query("b")).rejects.toMatchObject({ code: "query_closed" });
  });
});

describe("asking and reading", () => {
  it("queues what is asked while a response runs; each has its response", async () => {
    const door = gate();
    const model = scriptedModel([() => door.wait().then(() => "one"), "two", "three"]);
    await using client = clientOf({ model });
    await client.query("a");
    await door.reached;
    await client.query("b");
    await client.query(
      (async function* () {
        yield said("c");
      })(),
    );
    door.open();
    const first = await response(client);
    const [second, third] = [await response(client), await response(client)];
    expect([first, second, third].map((each) => resultOf(each).result)).toEqual(["one", "two", "three"]);
    expect(kinds(second ?? [])).toEqual(["assistant", "result/success"]);
  });

  it("a second receiveResponse() waits for the next question", async () => {
    await using client = clientOf({ model: scriptedModel(["one", "two"]) });
    await ask(client, "a");
    const next = response(client);
    await client.query("b");
    const messages = await next;
    expect(resultOf(messages).result).toBe("two");
    expect(kinds(messages)).toEqual([
      "system/session_state_changed",
      "system/session_state_changed",
      "assistant",
      "result/success",
    ]);
  });

  it("leaving early leaves the rest for the next reader, and the session open", async () => {
    await using client = clientOf({ model: scriptedModel(["one", "two"]) });
    await client.query("a");
    for await (const message of client.receiveResponse()) if (message.type === "system") break;
    expect(kinds(await response(client))).toEqual(["assistant", "result/success"]);
    expect(resultOf(await ask(client, "b")).result).toBe("two");
  });

  it("receiveMessages() goes on over all responses until the client is closed", async () => {
    const client = clientOf({ model: scriptedModel(["one", "two"]) });
    const results: unknown[] = [];
    const read = (async () => {
      for await (const message of client.receiveMessages()) {
        if (message.type !== "result") continue;
        results.push(message.result);
        if (results.length === 1) await client.query("b");
        else void client.close();
      }
    })();
    await client.query("a");
    await read;
    expect(results).toEqual(["one", "two"]);
  });

  it("a second reader at the same time is told so, and takes nothing away", async () => {
    await using client = clientOf({ model: scriptedModel(["one"]) });
    const reading = response(client);
    await expect(response(client)).rejects.toMatchObject({ code: "invalid_option" });
    await client.query("a");
    expect(resultOf(await reading).result).toBe("one");
  });

  it("deltas come with includePartialMessages", async () => {
    await using client = clientOf({ model: scriptedModel(["hello there"]), includePartialMessages: true });
    const messages = await ask(client, "a");
    const text = messages.flatMap((message) =>
      message.type === "stream_event" &&
      message.event.type === "content_block_delta" &&
      message.event.delta.type === "text_delta"
        ? [message.event.delta.text]
        : [],
    );
    expect(text.join("")).toBe("hello there");
  });
});

describe("stopping a client", () => {
  it.each(STANDS)("interrupt() while %s: the next question works", async (_, make) => {
    const stand = make();
    await using client = clientOf(stand.options);
    await client.query("a");
    await stand.there;
    await client.interrupt();
    const first = await response(client);
    expect(resultOf(first)).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "interrupted",
    });
    const second = await ask(client, "b");
    expect(resultOf(second)).toMatchObject({ subtype: "success", result: "again" });
    checkStand({ messages: [...first, ...second] } as never, stand);
  });

  it("interrupt() right after a question stops that question, before the model is asked", async () => {
    const model = scriptedModel(["two"]);
    await using client = clientOf({ model });
    void client.query("a");
    await client.interrupt();
    expect(resultOf(await response(client))).toMatchObject({ terminal_reason: "interrupted", num_turns: 0 });
    expect(resultOf(await ask(client, "b")).result).toBe("two");
    await client.interrupt();
    expect(texts(model, 0)).toEqual(["a", "b"]);
  });

  it("close() while a callback waits ends it: its signal fires, and the call has a result", async () => {
    const signals: AbortSignal[] = [];
    const door = gate();
    const client = clientOf({
      model: scriptedModel([{ toolCalls: [{ name: "Bash", input: { command: "touch a" } }] }, "never"]),
      canUseTool: (_name, _input, { signal }) => {
        signals.push(signal);
        return door.wait().then(silence);
      },
    });
    await client.query("a");
    await door.reached;
    await client.close();
    await client.close();
    const messages = await response(client);
    assertComplete(messages);
    expect(resultOf(messages)).toMatchObject({ terminal_reason: "closed" });
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect(await response(client)).toEqual([]);
    await expect(client.query("b")).rejects.toMatchObject({ code: "query_closed" });
  });

  it("`await using` closes it, and another client goes on with the session", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    let sessionId = "";
    let kept: Client | undefined;
    {
      await using client = clientOf({ model: scriptedModel(["one"]), cwd }, host);
      kept = client;
      sessionId = resultOf(await ask(client, "a")).session_id;
    }
    await expect(kept.query("b")).rejects.toMatchObject({ code: "query_closed" });
    const model = scriptedModel(["two"]);
    await using again = clientOf({ model, cwd, resume: sessionId }, host);
    expect(resultOf(await ask(again, "b"))).toMatchObject({ result: "two", session_id: sessionId });
    expect(texts(model, 0)).toEqual(["a", "one", "b"]);
  });

  it("an aborted controller gives the result, and then throws AbortError", async () => {
    const abortController = new AbortController();
    const begun = gate();
    const model = streaming(async function* () {
      yield { type: "text", delta: "half" };
      void begun.wait();
      await silence();
    });
    const client = clientOf({ model, abortController });
    await client.query("a");
    await begun.reached;
    abortController.abort();
    expect(resultOf(await response(client))).toMatchObject({ terminal_reason: "aborted" });
    await expect(response(client)).rejects.toMatchObject({ name: "AbortError" });
  });

  it("a host that is closed closes its clients and makes no more", async () => {
    const host = createHost({ store: memoryStore() });
    const client = clientOf({ model: scriptedModel(["one"]) }, host);
    await ask(client, "a");
    await host.close();
    await expect(client.query("b")).rejects.toMatchObject({ code: "query_closed" });
    expect(() => host.client()).toThrow(expect.objectContaining({ code: "query_closed" }));
  });
});

describe("what a session does", () => {
  it("is told: it waits for a message, works, waits for an answer", async () => {
    const door = gate();
    await using client = clientOf({
      model: scriptedModel([
        { toolCalls: [{ name: "Bash", input: { command: "touch a" } }] },
        "one",
        { toolCalls: [{ name: "Bash", input: { command: "touch b" } }] },
        "two",
      ]),
      // The first answer needs no time, the second one does.
      canUseTool: (_name, { command }) =>
        command === "touch a" ? { behavior: "allow" } : door.wait().then(() => ({ behavior: "allow" })),
    });
    const messages: SDKMessage[] = [];
    const read = (async () => {
      for await (const message of client.receiveMessages()) messages.push(message);
    })();
    await client.query("a");
    await vi.waitFor(() => expect(states(messages)).toEqual(["result", "idle"]));
    await client.query("b");
    await door.reached;
    await vi.waitFor(() =>
      expect(states(messages)).toEqual(["result", "idle", "running", "requires_action"]),
    );
    door.open();
    await vi.waitFor(() => expect(states(messages).at(-1)).toBe("idle"));
    await client.close();
    await read;
    expect(states(messages)).toEqual([
      "result",
      "idle",
      "running",
      "requires_action",
      "running",
      "result",
      "idle",
    ]);
  });
});

function states(messages: readonly SDKMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.type === "result") return ["result"];
    return message.type === "system" && message.subtype === "session_state_changed" ? [message.state] : [];
  });
}

it("two clients at once do not mix", async () => {
  const store = memoryStore();
  const host = createHost({ store });
  const doors = [gate(), gate()];
  const clients = doors.map((door, at) => {
    const echo = tool(
      "echo",
      "Echoes.",
      { text: "string" },
      ({ text }) => door.wait().then(() => said2(text)),
      {
        riskLevel: "low",
      },
    );
    const call = { toolCalls: [{ name: "echo", input: { text: `mine ${at}` } }] };
    return clientOf({ model: scriptedModel([call, `end ${at}`, `more ${at}`]), tools: [echo] }, host);
  });
  await Promise.all(clients.map((client) => client.query("go")));
  await Promise.all(doors.map((door) => door.reached));
  doors[1]?.open();
  doors[0]?.open();
  const responses = await Promise.all(clients.map(response));
  for (const [at, messages] of responses.entries()) {
    assertComplete(messages);
    const other = `mine ${1 - at}`;
    expect(JSON.stringify(messages)).toContain(`mine ${at}`);
    expect(JSON.stringify(messages)).not.toContain(other);
    expect(resultOf(messages).result).toBe(`end ${at}`);
  }
  const more = await Promise.all(clients.map((client) => ask(client, "more")));
  expect(more.map((messages) => resultOf(messages).result)).toEqual(["more 0", "more 1"]);
  const ids = responses.map((messages) => resultOf(messages).session_id);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids)
    expect((await storedTypes(store, id)).filter((type) => type === "result")).toHaveLength(2);
  await host.close();
});

const said2 = (text: string) => ({ content: [{ type: "text" as const, text }] });
