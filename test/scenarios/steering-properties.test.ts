import { createHost, type LanguageModel, type ModelRequest, type SessionEvent, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { said } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

type Priority = "now" | "next" | "later";
type Step =
  | { readonly kind: "say"; readonly priority: Priority }
  | { readonly kind: "cancel"; readonly which: number }
  | { readonly kind: "go"; readonly calls: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<Priority>("now", "next", "later")
      .map((priority) => ({ kind: "say", priority }) as const),
  },
  { weight: 1, arbitrary: fc.nat(20).map((which) => ({ kind: "cancel", which }) as const) },
  { weight: 3, arbitrary: fc.nat(2).map((calls) => ({ kind: "go", calls }) as const) },
);

/** Lets everything happen that can happen without anybody's doing. */
async function settle(): Promise<void> {
  for (let i = 0; i < 30; i += 1) await new Promise(setImmediate);
}

/** Requests that a provider would refuse: a call without its one result, or a result without its call. */
function faults({ messages }: ModelRequest): string[] {
  const found: string[] = [];
  let open: string[] = [];
  for (const { role, parts } of messages) {
    const results = parts.flatMap((part) => (part.type === "toolResult" ? [part.callId] : []));
    if (results.join() !== open.join()) found.push(`${open.join()} has ${results.join()}`);
    open = role === "assistant" ? parts.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])) : [];
  }
  return open.length === 0 && messages.at(-1)?.role !== "assistant"
    ? found
    : found.concat("it is open at its end");
}

interface Sent {
  readonly uuid: string;
  readonly priority: Priority;
  /** Names of the messages that had not been heard when it was sent. */
  readonly behind: readonly string[];
}

/** Plays a plan with a real session; calls of two kinds run, and every step of model and tools is let go by the plan. */
async function play(plan: readonly Step[]) {
  let permits: ((calls: number) => void)[] = [];
  const bad: string[] = [];
  /** What no model has heard yet. */
  const kept = new Set<string>();
  let isFree = false;
  const turn = (signal?: AbortSignal): Promise<number> =>
    isFree
      ? Promise.resolve(0)
      : new Promise((resolve, reject) => {
          permits.push(resolve);
          signal?.addEventListener("abort", () => {
            permits = permits.filter((permit) => permit !== resolve);
            reject(signal.reason);
          });
        });
  let ids = 0;
  const model: LanguageModel = {
    id: "m",
    provider: "test",
    async *stream(request, { signal }) {
      bad.push(...faults(request));
      for (const { parts } of request.messages) {
        for (const part of parts) if (part.type === "text") kept.delete(part.text);
      }
      const calls = await turn(signal);
      for (let i = 0; i < calls; i += 1) {
        ids += 1;
        yield { type: "toolStart", id: `c${ids}`, name: i % 2 === 0 ? "block" : "cancel" };
        yield { type: "toolEnd", id: `c${ids}`, inputText: "{}" };
      }
      if (calls === 0) yield { type: "text", delta: "so" };
      yield { type: "finish", stopReason: calls === 0 ? "end_turn" : "tool_use" };
    },
  };
  const make = (name: "block" | "cancel") =>
    tool({
      name,
      ...{ version: "1", description: name, inputSchema: {}, riskLevel: "low" },
      isConcurrencySafe: () => true,
      interruptBehavior: () => name,
      execute: async (_: unknown, { signal }: { signal: AbortSignal }) => {
        await turn(name === "cancel" ? signal : undefined);
        return { content: [{ type: "text" as const, text: "done" }] };
      },
    });
  const store = memoryStore();
  const host = createHost({ store });
  const allowedTools = ["block", "cancel"];
  const client = host.client({ model, cwd, tools: [make("block"), make("cancel")], allowedTools });
  let sessionId = "";
  const read = (async () => {
    for await (const message of client.receiveMessages()) sessionId = message.session_id;
  })();
  const heard = (events: readonly SessionEvent[]): string[] =>
    events.flatMap(({ type, data }) => (type === "user.message" ? [data.message.uuid ?? "?"] : []));
  const sent: Sent[] = [];
  const cancelled = new Set<string>();
  for (const each of plan) {
    if (each.kind === "say") {
      const uuid = `m${sent.length}`;
      await settle();
      const behind = [...kept];
      const { priority } = each;
      sent.push({ uuid, priority, behind });
      kept.add(uuid);
      await client.query(said(uuid, { uuid, priority }));
      // The first session of a process loads much before it opens.
      while (sessionId === "") await new Promise(setImmediate);
      await settle();
    } else if (each.kind === "cancel") {
      const uuid = sent[each.which % Math.max(1, sent.length)]?.uuid;
      if (uuid === undefined) continue;
      const receipt = await client.cancelMessage(uuid);
      if (receipt.cancelled) {
        cancelled.add(uuid);
        kept.delete(uuid);
      } else if (cancelled.has(uuid)) expect(receipt).toEqual({ cancelled: false, reason: "unknown" });
      else expect(receipt).toEqual({ cancelled: false, reason: "heard" });
    } else permits.shift()?.(each.calls);
    await settle();
  }
  isFree = true;
  while (permits.length > 0) {
    permits.shift()?.(0);
    await settle();
  }
  await settle();
  await client.close();
  await read;
  await host.close();
  const events = sessionId === "" ? [] : await store.read(sessionId);
  return { sent, cancelled, bad, events, order: heard(events) };
}

let cwd = "";

describe("messages with priorities, in whatever order they come and are taken back", () => {
  it("are heard exactly once unless they were cancelled, in their order, and each request is valid", async () => {
    cwd = scratch();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (plan) => {
        const { sent, cancelled, bad, events, order } = await play(plan);
        expect(bad).toEqual([]);
        const due = sent.map(({ uuid }) => uuid).filter((uuid) => !cancelled.has(uuid));
        expect([...order].sort()).toEqual(due.sort());
        const at = new Map(order.map((uuid, place) => [uuid, place]));
        const place = (uuid: string): number => at.get(uuid) ?? Number.POSITIVE_INFINITY;
        for (const [i, message] of sent.entries()) {
          if (cancelled.has(message.uuid)) continue;
          for (const other of sent.slice(0, i)) {
            if (cancelled.has(other.uuid)) continue;
            const { priority } = message;
            if (other.priority === priority) expect(place(other.uuid)).toBeLessThan(place(message.uuid));
            // An urgent one goes before all that nobody had heard.
            else if (priority === "now" && message.behind.includes(other.uuid)) {
              expect(place(message.uuid)).toBeLessThan(place(other.uuid));
            }
          }
        }
        // Only `next` joins a turn that runs.
        const isFirst = new Map<string, boolean>();
        let fresh = true;
        for (const { type, data } of events) {
          if (type === "user.message") {
            isFirst.set(data.message.uuid ?? "?", fresh);
            fresh = false;
          } else if (type === "result") fresh = true;
        }
        for (const { uuid, priority } of sent) {
          if (priority !== "next" && isFirst.has(uuid))
            expect([uuid, isFirst.get(uuid)]).toEqual([uuid, true]);
        }
      }),
      { numRuns: Number(process.env.CASTELLAN_RUNS ?? 60) },
    );
  }, 120_000);
});
