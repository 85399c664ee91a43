import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createHost, type SDKUserMessage } from "@castellan/sdk";
import { memoryStore, type SessionEvent } from "@castellan/sdk/stores";
import { assertComplete } from "@castellan/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countedClock } from "../kit/counted-clock.ts";
import { EDGES, type Edge } from "../kit/edges.ts";
import { gate, type Live, live, said } from "../kit/live.ts";
import { refusals } from "../kit/wire-check.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on("unhandledRejection", note));
afterEach(() => void process.off("unhandledRejection", note));

/** A session that stands on an edge, with a prompt stream whose second message waits for the test. */
async function standOn(edge: Edge) {
  const counted = countedClock();
  const store = edge.store ?? memoryStore();
  const host = createHost({ store, ...edge.host, platform: { clock: counted.clock } });
  const [more, unread] = [gate(), gate()];
  let isMore = true;
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield said("go");
    await more.wait();
    if (isMore) yield said("and then?");
  }
  const abortController = new AbortController();
  const reads = edge.isUnread === true ? unread.wait() : undefined;
  const session = live(prompts(), { ...edge.options, abortController }, host, reads);
  await edge.there(session);
  /** What the act gives, after all that held the session is let go. */
  async function acted<T>(act: () => Promise<T>): Promise<T> {
    const answer = act();
    edge.release?.();
    unread.open();
    return answer;
  }
  /** No further message: the session ends by itself. */
  function goOn(withMore: boolean): void {
    isMore = withMore;
    more.open();
  }
  return { session, abortController, acted, goOn, store, counted };
}

type Stand = Awaited<ReturnType<typeof standOn>>;

/** What must be true behind every end. */
async function check(edge: Edge, { session, store, counted }: Stand): Promise<void> {
  assertComplete(session.messages);
  for (const marker of edge.markers ?? []) expect(existsSync(marker)).toBe(false);
  const events = await store.read(session.messages[0]?.session_id ?? "");
  checkLog(events);
  for (const request of edge.model?.requests ?? []) expect(await refusals(request)).toEqual([]);
  expect(await childrenLeft()).toEqual([]);
  for (let tries = 0; tries < 100 && counted.running().length > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(counted.running()).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(unhandled).toEqual([]);
}

/** Each call that is known has one result, handlers' own calls too, and each result one turn. */
function checkLog(events: readonly SessionEvent[]): void {
  const calls = new Map<string, number>();
  for (const { type, data } of events) {
    if (type === "model.completed") {
      for (const part of data.message.parts) if (part.type === "toolCall") calls.set(part.id, 0);
    }
    if (type === "tool.started" && data.parent !== undefined) calls.set(data.callId, 0);
    if (type === "tool.finished") calls.set(data.callId, (calls.get(data.callId) ?? 0) + 1);
  }
  expect([...calls].filter(([, results]) => results !== 1)).toEqual([]);
}

/** Processes that this one has started and that still run. */
async function childrenLeft(): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const children = (): string[] =>
    readdirSync("/proc/self/task").flatMap((task) => {
      const text = readFileSync(`/proc/self/task/${task}/children`, "utf8").trim();
      return text === "" ? [] : text.split(" ");
    });
  for (let tries = 0; tries < 200 && children().length > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return children();
}

/** A call that says "block" is let finish. One that has no end holds the message up no longer than until an interrupt. */
async function waitsForAStop({ session }: Stand): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(session.results()).toEqual([]);
  const stillQueued = [{ text: "now this", priority: "now" }];
  expect(await session.query.interrupt()).toEqual({ stopped: true, stillQueued });
}

const reasons = (session: Live) => session.results().map((result) => result.terminal_reason);

describe.each(EDGES)("while %s", (name, make) => {
  const isEarly = name === "before init";

  it("interrupt(): the turn ends with one result, the receipt says so, and the next turn works", async () => {
    const edge = make();
    const stand = await standOn(edge);
    const receipt = await stand.acted(() => stand.session.query.interrupt());
    expect(receipt).toEqual({ stopped: edge.isWhole !== true, stillQueued: [] });
    await stand.session.until((message) => message.type === "result");
    stand.goOn(true);
    expect(await stand.session.ended).toBeUndefined();
    expect(reasons(stand.session)).toEqual([
      edge.isWhole === true ? "completed" : "interrupted",
      "completed",
    ]);
    await check(edge, stand);
  });

  it("abortController: the result, AbortError, nothing more", async () => {
    const edge = make();
    const stand = await standOn(edge);
    const ended = stand.acted(() => {
      stand.abortController.abort();
      return stand.session.ended;
    });
    expect(await ended).toMatchObject({ name: "AbortError", code: "aborted" });
    const first = edge.isWhole === true ? ["completed"] : ["aborted"];
    expect(reasons(stand.session)).toEqual(isEarly ? [] : first);
    expect(await stand.session.query.next()).toEqual({ done: true, value: undefined });
    await check(edge, stand);
  });

  it("close(): the result, the end, and then everything is written", async () => {
    const edge = make();
    const stand = await standOn(edge);
    expect(await stand.acted(() => stand.session.query.close())).toBeUndefined();
    const first = edge.isWhole === true ? ["completed"] : ["closed"];
    expect(await stand.session.ended).toBeUndefined();
    expect(reasons(stand.session)).toEqual(isEarly ? [] : first);
    await check(edge, stand);
  });

  it("a message of priority `now`: the turn makes room, and the message is answered next", async () => {
    const edge = make();
    const stand = await standOn(edge);
    async function* urgent() {
      yield said("now this", { priority: "now" });
    }
    expect(await stand.acted(() => stand.session.query.streamInput(urgent()))).toBeUndefined();
    if (edge.isBlocked === true) await waitsForAStop(stand);
    stand.goOn(false);
    expect(await stand.session.ended).toBeUndefined();
    const cut = edge.isWhole !== true && !isEarly;
    expect(reasons(stand.session)).toEqual([cut ? "interrupted" : "completed", "completed"]);
    await check(edge, stand);
    const texts = JSON.stringify(edge.model?.requests.at(-1)?.messages);
    expect(texts).toContain("now this");
    // A prompt whose hooks were not done is in no request.
    expect(texts.includes('"go"')).toBe(name !== "hooks of the prompt wait");
  });
});

describe("after the end", () => {
  it("interrupt() and messages are refused, close() and abort do nothing", async () => {
    const abortController = new AbortController();
    const edge = EDGES[0]?.[1]();
    const session = live("go", { ...edge?.options, abortController });
    await session.ended;
    const refused = { code: "query_closed", fix: expect.stringMatching(/resume/) };
    await expect(session.query.interrupt()).rejects.toMatchObject(refused);
    async function* urgent() {
      yield said("now this", { priority: "now" });
    }
    await expect(session.query.streamInput(urgent())).rejects.toMatchObject(refused);
    await expect(session.query.close()).resolves.toBeUndefined();
    abortController.abort();
    expect(reasons(session)).toEqual(["completed"]);
    expect(await session.query.next()).toEqual({ done: true, value: undefined });
  });
});
