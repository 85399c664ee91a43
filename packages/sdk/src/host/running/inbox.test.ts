import { describe, expect, it, vi } from "vitest";
import type { UserMessage } from "../../protocol/index.ts";
import { createInbox } from "./inbox.ts";
import type { Inbox } from "./inbox-types.ts";
import { pumpPrompts } from "./pump-prompts.ts";
import { type Priority, textPrompt } from "./user-message.ts";

const prompt = (text: string, priority: Priority = "later") => ({ ...textPrompt(text), priority });
const textOf = (message: UserMessage | undefined) =>
  message?.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
const said = (text: string, more: object = {}) => ({
  ...{ type: "user", message: { role: "user", content: text } },
  ...more,
});
const never = () => new AbortController().signal;

async function all(inbox: Inbox): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  for (let message = await inbox.next(); message !== undefined; message = await inbox.next()) {
    texts.push(textOf(message));
  }
  return texts;
}

describe("the inbox", () => {
  it("gives `now` first, in its own order, and the others as they came", async () => {
    const urgent = vi.fn();
    const inbox = createInbox(urgent);
    const source = inbox.source();
    source.push(prompt("a"));
    source.push(prompt("b", "next"));
    source.push(prompt("c", "now"));
    source.push(prompt("d"));
    source.push(prompt("e", "now"));
    source.end();
    expect(urgent).toHaveBeenCalledTimes(2);
    expect(await all(inbox)).toEqual(["c", "e", "a", "b", "d"]);
  });

  it("steers with what has the priority `next`, once, and leaves the rest", async () => {
    const inbox = createInbox(() => {});
    const source = inbox.source();
    for (const [text, priority] of [
      ["a", "later"],
      ["b", "next"],
      ["c", "later"],
      ["d", "next"],
    ] as const) {
      source.push(prompt(text, priority));
    }
    expect(inbox.steer().map(textOf)).toEqual(["b", "d"]);
    expect(inbox.steer()).toEqual([]);
    source.end();
    expect(await all(inbox)).toEqual(["a", "c"]);
  });

  it("waits for what comes, and is over when every source has ended", async () => {
    const inbox = createInbox(() => {});
    const [first, second] = [inbox.source(), inbox.source()];
    const waiting = inbox.next();
    first.push(prompt("a"));
    expect(textOf(await waiting)).toBe("a");
    const last = inbox.next();
    first.end();
    first.end();
    first.push(prompt("from a source that has ended"));
    second.push(prompt("b"));
    expect(textOf(await last)).toBe("b");
    second.end();
    expect(await inbox.next()).toBeUndefined();
    expect(() => inbox.source()).toThrow(expect.objectContaining({ code: "query_closed" }));
    expect(await inbox.next()).toBeUndefined();
  });

  it("fails with what a source ended with, behind what waits", async () => {
    const inbox = createInbox(() => {});
    const source = inbox.source();
    source.push(prompt("a"));
    source.end(new Error("broken"));
    expect(textOf(await inbox.next())).toBe("a");
    await expect(inbox.next()).rejects.toThrow("broken");
  });

  it("forgets all when it is discarded: messages, failure, who waits", async () => {
    const inbox = createInbox(() => {});
    const source = inbox.source();
    source.push(prompt("a"));
    source.end(new Error("broken"));
    inbox.discard();
    expect(await inbox.next()).toBeUndefined();
    const other = createInbox(() => {});
    other.source();
    const waiting = other.next();
    other.discard();
    expect(await waiting).toBeUndefined();
  });
});

describe("taking messages back", () => {
  const named = (text: string, uuid: string, priority: Priority = "later") => {
    const { message } = textPrompt(text);
    return { message: { ...message, uuid }, priority, uuid };
  };

  it("takes a waiting one out, says of a taken one that it is heard, and knows no other", async () => {
    const inbox = createInbox(() => {});
    const source = inbox.source();
    for (const name of ["a", "b", "c"]) source.push(named(name, name));
    source.push(named("d", "d", "next"));
    expect(inbox.cancel("b")).toBe("cancelled");
    expect(inbox.cancel("b")).toBeUndefined();
    expect(textOf(await inbox.next())).toBe("a");
    expect(inbox.cancel("a")).toBe("heard");
    expect(inbox.steer().map(textOf)).toEqual(["d"]);
    expect(inbox.cancel("d")).toBe("heard");
    source.end();
    expect(await all(inbox)).toEqual(["c"]);
  });

  it("gives what was steered in vain another time, behind the urgent ones and before the others", async () => {
    const inbox = createInbox(() => {});
    const source = inbox.source();
    for (const name of ["a", "b", "c"]) source.push(prompt(name, name === "c" ? "later" : "next"));
    const taken = inbox.steer();
    source.push(prompt("u", "now"));
    inbox.giveBack(taken.slice(1));
    inbox.giveBack(taken);
    source.end();
    expect(await all(inbox)).toEqual(["u", "b", "c"]);
  });

  it("steers with nothing while an urgent one waits", () => {
    const inbox = createInbox(() => {});
    const source = inbox.source();
    source.push(prompt("a", "next"));
    source.push(prompt("u", "now"));
    expect(inbox.steer()).toEqual([]);
  });

  it("tells once what was forgotten, also what comes back when it is too late", () => {
    const inbox = createInbox(() => {});
    const source = inbox.source();
    source.push(prompt("a", "next"));
    source.push(prompt("b"));
    const taken = inbox.steer();
    inbox.discard();
    inbox.giveBack(taken);
    expect(inbox.takeLost().map(({ message }) => textOf(message))).toEqual(["b", "a"]);
    expect(inbox.takeLost()).toEqual([]);
  });
});

describe("reading a prompt stream", () => {
  it("reads to the end, and does not call return() then", async () => {
    const inbox = createInbox(() => {});
    const source = inbox.source();
    const left = vi.fn();
    const steps = [said("a"), said("b", { priority: "now" })];
    const stream = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          const value = steps.shift();
          return value === undefined
            ? { done: true as const, value: undefined }
            : { done: false as const, value };
        },
        return: left,
      }),
    };
    await pumpPrompts(stream, source, never());
    source.end();
    expect(left).not.toHaveBeenCalled();
    expect(await all(inbox)).toEqual(["b", "a"]);
  });

  it("rejects with what the stream throws, also at its start", async () => {
    const source = createInbox(() => {}).source();
    const broken = {
      [Symbol.asyncIterator]() {
        throw new Error("no iterator");
      },
    };
    await expect(pumpPrompts(broken as never, source, never())).rejects.toThrow("no iterator");
    async function* later() {
      yield said("a");
      throw new Error("in the middle");
    }
    await expect(pumpPrompts(later(), source, never())).rejects.toThrow("in the middle");
  });

  it("rejects for a message that is none, and lets the generator clean up", async () => {
    const inbox = createInbox(() => {});
    const cleaned = vi.fn();
    async function* stream() {
      try {
        yield said("good");
        yield "bad";
        yield said("never reached");
      } finally {
        cleaned();
      }
    }
    const source = inbox.source();
    await expect(pumpPrompts(stream(), source, never())).rejects.toMatchObject({ code: "invalid_option" });
    await vi.waitFor(() => expect(cleaned).toHaveBeenCalledOnce());
    source.end();
    expect(await all(inbox)).toEqual(["good"]);
  });

  it("stops when told, also in the middle of a wait that never ends", async () => {
    const source = createInbox(() => {}).source();
    const stop = new AbortController();
    const left = vi.fn(() => {
      throw new Error("return() of a careless program");
    });
    const stream = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}), return: left }),
    };
    const pumped = pumpPrompts(stream as never, source, stop.signal);
    stop.abort();
    await pumped;
    expect(left).toHaveBeenCalledOnce();
  });

  it("does not touch a stream when it is stopped already", async () => {
    const stop = new AbortController();
    stop.abort();
    const begun = vi.fn();
    await pumpPrompts({ [Symbol.asyncIterator]: begun }, createInbox(() => {}).source(), stop.signal);
    expect(begun).not.toHaveBeenCalled();
  });

  it("reads an endless stream only as far as there is room", async () => {
    const inbox = createInbox(() => {});
    let given = 0;
    async function* endless() {
      for (;;) yield said(`${given++}`);
    }
    const stop = new AbortController();
    const pumped = pumpPrompts(endless(), inbox.source(), stop.signal);
    await new Promise(setImmediate);
    expect(given).toBe(1_000);
    for (let i = 0; i < 10; i += 1) expect(textOf(await inbox.next())).toBe(`${i}`);
    await new Promise(setImmediate);
    expect(given).toBe(1_010);
    inbox.discard();
    stop.abort();
    await pumped;
  });
});
