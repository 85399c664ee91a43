import { createHost, type EventStore, type Host, nodePlatform, tool } from "@castellan/sdk";
import { type FullStore, jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { fakeClock, faultyStore } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate } from "../kit/live.ts";
import { play } from "../kit/played.ts";
import { scratch } from "../kit/session.ts";

const HOUR = 3_600_000;
const ROUNDS = 100;
const START = 1_800_000_000_000;
const HASH = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/g;

/** Two hours later each artifact may be taken. */
const old = { olderThanDays: 1 / 24 };

const stores = [
  ["memory", (clock: Clock) => memoryStore({ clock })],
  ["JSONL", (clock: Clock) => jsonlStore({ home: scratch(), platform: { ...nodePlatform(), clock } })],
  ["SQLite", (clock: Clock) => sqliteStore({ home: scratch(), platform: { ...nodePlatform(), clock } })],
] as const;
type Clock = ReturnType<typeof fakeClock>;

/** A tool whose result is so large that it goes to the artifact store: the same bytes for the same name. */
const large = tool("large", "Says a lot.", { of: "string" }, ({ of }) => ({
  content: [{ type: "text", text: `${of} `.repeat(12_000) }],
}));

const calling = (of: string) => [{ toolCalls: [{ name: "large", input: { of } }] }, "done"];
const OPTIONS = { tools: [large], allowedTools: ["large"] };

/** What the logs of all sessions name and the store does not hold. */
async function lost(host: Host): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { sessionId } of await host.store.list()) {
    const named = JSON.stringify(await host.store.read(sessionId)).match(HASH) ?? [];
    for (const hash of new Set(named)) {
      if (!(await stored(host, hash))) missing.push(`${sessionId}: ${hash}`);
    }
  }
  return missing;
}

/** By what an export says, since a host shows no artifacts. */
async function stored(host: Host, hash: string): Promise<boolean> {
  const { artifacts } = host.store as FullStore;
  return (await artifacts.get(hash)) !== undefined;
}

describe.each(stores)("what a log names, over %s", (_, makeStore) => {
  it("is never lost to pruning, while the same bytes are stored anew and the old session is copied", async () => {
    const clock = fakeClock(START);
    let copied = 0;
    const store = faultyStore(makeStore(clock), { seed: 11, shares: { delay: 0.4 } });
    const host = createHost({ store, platform: { clock } });
    for (let round = 0; round < ROUNDS; round += 1) {
      const script = calling(`round ${round}`);
      const { sessionId } = await play(host, script, OPTIONS);
      clock.advance(2 * HOUR);
      const [, , fork, resumed] = await Promise.all([
        host.sessions.prune(old),
        play(host, script, OPTIONS),
        host.sessions.fork(sessionId).catch(({ code }: { code: string }) => code),
        play(host, ["more"], { resume: sessionId, forkSession: true }),
      ]);
      if (typeof fork === "object") copied += 1;
      else expect(fork).toBe("session_not_found");
      if (resumed.result.is_error) expect(resumed.result.errors?.[0]).toMatch(/no session/);
      expect(await lost(host)).toEqual([]);
      clock.advance(2 * HOUR);
      await host.sessions.prune(old);
      expect(await host.store.list()).toEqual([]);
    }
    expect(copied).toBeGreaterThan(0);
    await host.close();
  }, 240_000);

  it("is held by a copy that is not written yet when its original is pruned", async () => {
    const clock = fakeClock(START);
    const inner = makeStore(clock);
    const other = createHost({ store: inner, platform: { clock } });
    for (const byFunction of [true, false]) {
      const { sessionId } = await play(other, calling("held"), OPTIONS);
      clock.advance(2 * HOUR);
      const door = gate();
      const append: EventStore["append"] = async (batches) => {
        await door.wait();
        return inner.append(batches);
      };
      const host = createHost({ store: { ...inner, append }, platform: { clock } });
      const copy = byFunction
        ? host.sessions.fork(sessionId)
        : play(host, ["more"], { ...OPTIONS, resume: sessionId, forkSession: true });
      await door.reached;
      expect(await other.sessions.prune(old)).toMatchObject({
        deleted: [sessionId],
        artifacts: { deleted: 0 },
      });
      door.open();
      const { sessionId: id } = await copy;
      expect(JSON.stringify(await inner.read(id)).match(HASH)?.length).toBe(1);
      expect(await lost(other)).toEqual([]);
      await inner.delete(id);
      clock.advance(2 * HOUR);
      expect((await other.sessions.prune(old)).artifacts.deleted).toBe(1);
    }
    await other.close();
  });

  it("is not copied out of a session that was pruned while it was read", async () => {
    const clock = fakeClock(START);
    const inner = makeStore(clock);
    const other = createHost({ store: inner, platform: { clock } });
    const { sessionId } = await play(other, calling("late"), OPTIONS);
    clock.advance(2 * HOUR);
    const door = gate();
    const read: EventStore["read"] = async (...given) => {
      const events = await inner.read(...given);
      await door.wait();
      return events;
    };
    const host = createHost({ store: { ...inner, read }, platform: { clock } });
    const fork = host.sessions.fork(sessionId);
    await door.reached;
    expect(await other.sessions.prune(old)).toMatchObject({
      deleted: [sessionId],
      artifacts: { deleted: 1 },
    });
    door.open();
    await expect(fork).rejects.toMatchObject({ code: "session_not_found" });
    expect(await inner.list()).toEqual([]);
    await other.close();
  });
});
