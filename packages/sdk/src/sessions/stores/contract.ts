import { rejects } from "node:assert";
import type { EventStore } from "../../protocol/index.ts";
import type { ContractCase } from "./contract-case.ts";
import { DURABILITY_CASES } from "./contract-durability.ts";
import { equal } from "./contract-equal.ts";
import { batch, count, type EventCase, events, ok, todos, ts } from "./contract-events.ts";

/** A store under test. */
export interface StoreUnderTest {
  readonly store: EventStore;
  /** Closes this store and opens another one over the same data. Absent: the data ends with the store. */
  reopen?(): Promise<EventStore>;
  /** Called at the end of a case; `store` is closed by then. */
  dispose?(): Promise<void>;
}

/**
 * What every event store must do. `make` is called once a case and gives an empty store.
 *
 * @example
 * for (const { name, run } of eventStoreContract(async () => ({ store: memoryStore() }))) test(name, run);
 */
export function eventStoreContract(make: () => Promise<StoreUnderTest>): ContractCase[] {
  return Object.entries({ ...CASES, ...DURABILITY_CASES }).map(([name, body]) => ({
    name,
    async run() {
      const subject = await make();
      let { store } = subject;
      try {
        await body(store, async () => {
          if (subject.reopen !== undefined) store = await subject.reopen();
          return store;
        });
      } finally {
        await store.close();
        await subject.dispose?.();
      }
    },
  }));
}

const CASES: Readonly<Record<string, EventCase>> = {
  "an unknown session is empty": async (store) => {
    equal(await store.read("nobody"), []);
    equal(await store.delete("nobody"), false);
    equal(await store.list(), []);
  },

  "what was appended is read, in order and unchanged": async (store, reopen) => {
    equal(await store.append([batch("a", 0, 3)]), [{ ok: true, seq: 3 }]);
    equal(await store.append([batch("a", 3, 2)]), [{ ok: true, seq: 5 }]);
    equal(await store.read("a"), events(0, 5));
    equal(await (await reopen()).read("a"), events(0, 5));
  },

  "reading starts behind afterSeq": async (store) => {
    await store.append([batch("a", 0, 4)]);
    equal(await store.read("a", 0), events(0, 4));
    equal(await store.read("a", 2), events(2, 2));
    equal(await store.read("a", 4), []);
    equal(await store.read("a", 9), []);
  },

  "the last batch again answers as before and stores nothing twice": async (store) => {
    const last = batch("a", 2, 3);
    await store.append([batch("a", 0, 2)]);
    for (let i = 0; i < 3; i += 1) equal(await store.append([last]), [{ ok: true, seq: 5 }]);
    equal(await store.append([batch("b", 0, 1), batch("b", 0, 1)]), [
      { ok: true, seq: 1 },
      { ok: true, seq: 1 },
    ]);
    equal(await store.read("a"), events(0, 5));
    equal(await store.read("b"), events(0, 1));
  },

  "the last batch again is known after a reopen": async (store, reopen) => {
    await store.append([batch("a", 0, 2), batch("a", 2, 1)]);
    const again = await reopen();
    equal(await again.append([batch("a", 2, 1)]), [{ ok: true, seq: 3 }]);
    equal(await again.read("a"), events(0, 3));
    equal(await again.append([batch("a", 3, 1)]), [{ ok: true, seq: 4 }]);
  },

  "a wrong expectedSeq is a conflict that tells the right one": async (store) => {
    const conflict = (actualSeq: number) => [{ ok: false, code: "conflict", actualSeq }];
    equal(await store.append([batch("a", 2, 1)]), conflict(0));
    equal(await store.read("a"), []);
    await store.append([batch("a", 0, 3)]);
    equal(await store.append([batch("a", 0, 1, "late")]), conflict(3));
    equal(await store.append([batch("a", 4, 1)]), conflict(3));
    equal(await store.read("a"), events(0, 3));
  },

  "one of two writers with the same expectedSeq wins": async (store) => {
    const answers = await Promise.all(["x", "y"].map((id) => store.append([batch("a", 0, 2, id)])));
    equal(
      answers
        .flat()
        .map((answer) => answer.ok)
        .sort(),
      [false, true],
    );
    equal(await store.read("a"), events(0, 2));
  },

  "a batch with a gap is refused whole": async (store) => {
    await store.append([batch("a", 0, 2)]);
    const holed = [...events(2, 1), ...events(4, 1)];
    await rejects(store.append([{ ...batch("a", 2, 0, "holed"), events: holed }]));
    await rejects(store.append([{ ...batch("a", 2, 0, "shifted"), events: events(3, 1) }]));
    equal(await store.read("a"), events(0, 2));
    equal(await store.append([batch("a", 2, 1)]), [{ ok: true, seq: 3 }]);
  },

  "appends that overlap are stored in the order of the calls": async (store) => {
    const answers = await Promise.all(
      count(50).map((i) => store.append([batch("a", i, 1), batch("b", i, 1)])),
    );
    equal(
      answers,
      count(50).map((i) => [ok(i + 1), ok(i + 1)]),
    );
    equal(await store.read("a"), events(0, 50));
    equal(await store.read("b"), events(0, 50));
  },

  "one call may hold several sessions, and several batches of one": async (store) => {
    const answers = await store.append([
      batch("a", 0, 2),
      batch("b", 0, 1),
      batch("a", 2, 1),
      batch("b", 5, 1),
    ]);
    equal(answers, [ok(2), ok(1), ok(3), { ok: false, code: "conflict", actualSeq: 1 }]);
    equal(await store.read("a"), events(0, 3));
    equal(await store.read("b"), events(0, 1));
  },

  "an empty batch stores nothing": async (store) => {
    equal(await store.append([batch("a", 0, 0)]), [ok(0)]);
    equal(await store.read("a"), []);
    equal(await store.list(), []);
    equal(await store.append([batch("a", 0, 1)]), [ok(1)]);
  },

  "10,000 events of one session": async (store, reopen) => {
    for (let seq = 0; seq < 10_000; seq += 500) await store.append([batch("a", seq, 500)]);
    const again = await reopen();
    equal(await again.read("a"), events(0, 10_000));
    equal(await again.append([batch("a", 10_000, 1)]), [ok(10_001)]);
  },

  "sessions are listed newest first, by project, up to a limit": async (store) => {
    await store.append([batch("a", 0, 3), batch("b", 0, 9), batch("c", 0, 6, "c", "/other dir/é")]);
    const summary = (sessionId: string, project: string, size: number) => ({
      sessionId,
      project,
      createdAt: ts(1),
      updatedAt: ts(size),
      events: size,
    });
    const [a, b, c] = [summary("a", "/p", 3), summary("b", "/p", 9), summary("c", "/other dir/é", 6)];
    equal(await store.list(), [b, c, a]);
    equal(await store.list({ limit: 2 }), [b, c]);
    equal(await store.list({ project: "/p" }), [b, a]);
    equal(await store.list({ project: "/p", limit: 1 }), [b]);
    equal(await store.list({ project: "/none" }), []);
  },

  "a deleted session is gone and may begin again": async (store) => {
    await store.append([batch("a", 0, 2), batch("b", 0, 1)]);
    equal(await store.delete("a"), true);
    equal(await store.delete("a"), false);
    equal(await store.read("a"), []);
    equal(
      (await store.list()).map((summary) => summary.sessionId),
      ["b"],
    );
    equal(await store.append([batch("a", 0, 1, "anew")]), [ok(1)]);
    equal(await store.read("a"), events(0, 1));
  },

  "a session that was released is written on": async (store) => {
    await store.append([batch("a", 0, 2)]);
    await store.release?.("a");
    await store.release?.("nobody");
    equal(await store.append([batch("a", 2, 1)]), [ok(3)]);
    equal(await store.read("a"), events(0, 3));
  },

  "any text survives": async (store, reopen) => {
    const text = 'line\nbreak \u2028 \u0000 " \\ é 🏰 __proto__ </batch>';
    const event = todos(1, ts(1), text);
    await store.append([{ ...batch("a", 0, 0, `id "${text}"`), events: [event] }]);
    const again = await reopen();
    equal(await again.read("a"), [event]);
    equal(await again.append([{ ...batch("a", 0, 0, `id "${text}"`), events: [event] }]), [ok(1)]);
  },

  "a closed store refuses": async (store) => {
    await store.append([batch("a", 0, 1)]);
    await store.close();
    await store.close();
    await rejects(store.append([batch("a", 1, 1)]));
    await rejects(store.read("a"));
  },
};
