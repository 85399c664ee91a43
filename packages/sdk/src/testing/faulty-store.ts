import type { AppendBatch, AppendResult, EventStore, SessionEvent, Store } from "../protocol/index.ts";
import { type FaultPlan, faultsOf, type StoreFault } from "./fault-plan.ts";

/** What a faulty store tells, and how to make it well. */
export interface Faults {
  /** Each call with its fault, in order: `append: lost-reply`. */
  readonly told: readonly string[];
  /** From now on all goes well, once what is late was delivered. */
  heal(): Promise<void>;
}

/** Turns of the microtask queue that a delayed call waits. */
const DELAY = 40;

/** Where a call that failed may be made again with the same outcome; others only come late or twice. */
const REPEATABLE: ReadonlySet<string> = new Set(["append", "read", "list", "readSnapshot", "writeSnapshot"]);
const EVENT_CALLS = ["append", "read", "list", "delete", "readSnapshot", "writeSnapshot", "release"] as const;
const PORTS = ["artifacts", "leases", "approvals", "wakes"] as const;

/**
 * A store whose calls go wrong as a plan says: the same plan and the same calls give the same faults. Appends and reads
 * can fail in every way; other calls only come late or twice, since who repeats them gets another answer.
 *
 * What a store promises must hold through it: run `storeContract` over it with delays and duplicates.
 *
 * @param store an event store, or a bundle; what it stores is real.
 *
 * @example
 * const store = faultyStore(memoryStore(), { seed: 7, shares: { "lost-reply": 0.2, delay: 0.2 } });
 */
export function faultyStore<S extends EventStore | Store>(store: S, plan: FaultPlan): S & { faults: Faults } {
  const next = faultsOf(plan);
  const told: string[] = [];
  let late: (() => Promise<unknown>)[] = [];
  let line: Promise<void> = Promise.resolve();
  let healed = false;

  async function deliverLate(): Promise<void> {
    const all = late;
    late = [];
    for (const each of all) await each().catch(() => {});
  }

  function wrap<A extends unknown[], R>(
    name: string,
    call: (...args: A) => Promise<R>,
  ): (...args: A) => Promise<R> {
    return async (...args) => {
      const drawn = healed ? "none" : next();
      const fault = REPEATABLE.has(name) || isMild(drawn) ? drawn : "none";
      if (fault !== "none") told.push(`${name}: ${fault}`);
      if (fault === "delay") line = line.then(pause);
      await line;
      const deliver = (): Promise<R> => call(...args);
      if (fault === "lost-request" || fault === "partition") throw unreachable(name, fault);
      if (name === "append") return appendWith(fault, args[0] as readonly AppendBatch[], deliver);
      const answer = await deliver();
      if (fault === "duplicate") await deliver().catch(() => {});
      if (fault === "lost-reply") throw unreachable(name, fault);
      return answer;
    };
  }

  async function appendWith<R>(
    fault: StoreFault | "none",
    batches: readonly AppendBatch[],
    deliver: () => Promise<R>,
  ): Promise<R> {
    const before = late;
    late = [];
    try {
      if (fault === "late") {
        late.push(deliver);
        throw unreachable("append", fault);
      }
      if (fault === "conflict") await writeAsSomebodyElse(batches);
      const answer = await deliver();
      if (fault === "duplicate") await deliver().catch(() => {});
      if (fault === "late-duplicate") late.push(deliver);
      if (fault === "lost-reply") throw unreachable("append", fault);
      return answer;
    } finally {
      for (const each of before) await each().catch(() => {});
    }
  }

  async function writeAsSomebodyElse(batches: readonly AppendBatch[]): Promise<void> {
    const [batch] = batches;
    if (batch === undefined) return;
    const events = [foreignEvent(batch)];
    const { epoch: _, ...plain } = batch;
    await append([{ ...plain, batchId: `${batch.batchId}-somebody-else`, events }]);
  }

  const inner: EventStore = "append" in store ? store : store.events;
  const append = (batches: readonly AppendBatch[]): Promise<readonly AppendResult[]> => inner.append(batches);
  const events: Record<string, unknown> = { ...inner };
  for (const name of EVENT_CALLS) {
    const call = inner[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
    if (call !== undefined) events[name] = wrap(name, call.bind(inner));
  }
  const all: Record<string, unknown> = { ...store, ...("append" in store ? events : { events }) };
  for (const port of PORTS) {
    const given = (store as unknown as Record<string, unknown>)[port];
    if (given !== undefined) all[port] = wrapPort(port, given as object, wrap);
  }
  if ("append" in store && "events" in store) all.events = all;
  const faults: Faults = {
    told,
    async heal() {
      healed = true;
      await line;
      await deliverLate();
    },
  };
  return Object.assign(all, { faults }) as unknown as S & { faults: Faults };
}

function wrapPort(
  port: string,
  given: object,
  wrap: <A extends unknown[], R>(
    name: string,
    call: (...args: A) => Promise<R>,
  ) => (...args: A) => Promise<R>,
): object {
  return Object.fromEntries(
    Object.entries(given).map(([name, call]) => [
      name,
      // What answers at once is asked for in the path of a call that is faulty already.
      name === "isLive" || name === "onChange"
        ? call
        : wrap(`${port}.${name}`, (call as (...args: unknown[]) => Promise<unknown>).bind(given)),
    ]),
  );
}

function isMild(fault: StoreFault | "none"): boolean {
  return fault === "delay" || fault === "duplicate";
}

async function pause(): Promise<void> {
  for (let turn = 0; turn < DELAY; turn += 1) await undefined;
}

function unreachable(name: string, fault: StoreFault): Error {
  return new Error(`The store could not be reached (${name}: ${fault}).`);
}

/** An event that may stand anywhere in a log. */
function foreignEvent({ expectedSeq, batchId, events: [first] }: AppendBatch): SessionEvent {
  return {
    v: 1,
    seq: expectedSeq + 1,
    id: `${batchId}-somebody-else`,
    ts: first?.ts ?? 0,
    type: "todos.changed",
    data: { todos: [] },
  };
}
