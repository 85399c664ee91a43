import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import {
  createHost,
  type Host,
  type JsonObject,
  type Options,
  type SDKMessage,
  type SDKResultMessage,
} from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import {
  type FakeClock,
  fakeClock,
  type ScriptedModel,
  type ScriptStep,
  scriptedModel,
} from "@castellan/sdk/testing";
import { scratch } from "./session.ts";

/** Monday, 30 November 2026, 09:00 UTC. */
export const MONDAY = Date.parse("2026-11-30T09:00:00Z");
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const TIMER_TOOLS = ["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "Sleep"];

export const call = (name: string, input: JsonObject = {}): ScriptStep => ({
  toolCalls: [{ name, input }],
});

/** A store that several hosts open, one behind the other, as processes would. */
export type StoreKind = "memory" | "jsonl" | "sqlite";
export const STORE_KINDS: readonly StoreKind[] = ["memory", "jsonl", "sqlite"];

export interface TimedWorld {
  readonly clock: FakeClock;
  /** A new host over the same store, with the same clock. The one before is closed. */
  restart(): Promise<Host>;
  /** What is set in the store of the last host. */
  wakes(): Promise<readonly { readonly id: string; readonly at: number; readonly sessionId: string }[]>;
  end(): Promise<void>;
}

export function timedWorld(kind: StoreKind, start: number = MONDAY): TimedWorld {
  const clock = fakeClock(start);
  const home = mkdtempSync(join(scratch(), "home-"));
  const kept = memoryStore();
  const open = () =>
    kind === "memory"
      ? kept
      : kind === "jsonl"
        ? jsonlStore({ home })
        : sqliteStore({ file: join(home, "sessions.db"), home });
  let last: { readonly host: Host; readonly store: ReturnType<typeof open> } | undefined;
  async function end(): Promise<void> {
    await last?.host.close();
    if (kind !== "memory") await last?.store.close();
    last = undefined;
  }
  return {
    clock,
    async restart() {
      await end();
      const store = open();
      last = { store, host: createHost({ store, platform: { clock } }) };
      return last.host;
    },
    wakes: async () => (await last?.store.wakes.due(Number.MAX_SAFE_INTEGER, 100)) ?? [],
    end,
  };
}

/** What came of a session that was read to its end. */
export interface Heard {
  readonly sessionId: string;
  readonly result: SDKResultMessage;
  readonly messages: readonly SDKMessage[];
  readonly model: ScriptedModel;
  /** What timers have told the model in this run. */
  readonly told: readonly string[];
}

/** Goes on with a session, or begins one, in a query of one prompt; all timer tools may be used. */
export async function timed(
  host: Host,
  steps: readonly ScriptStep[],
  options: Options = {},
  prompt = "go",
): Promise<Heard> {
  const model = scriptedModel(steps);
  const messages: SDKMessage[] = [];
  const own = { model, tools: TIMER_TOOLS, allowedTools: TIMER_TOOLS };
  const place = options.resume === undefined ? { cwd: scratch() } : {};
  for await (const message of host.query({ prompt, options: { ...own, ...place, ...options } })) {
    messages.push(message);
  }
  const result = messages.findLast((each) => each.type === "result");
  if (result?.type !== "result") throw new Error("no result");
  return { sessionId: result.session_id, result, messages, model, told: toldBy(model) };
}

/** The messages of timers in the last request of a model, in order. */
export function toldBy(model: ScriptedModel): string[] {
  const { messages = [] } = model.requests.at(-1) ?? {};
  return messages.flatMap(({ role, parts }) =>
    role === "user"
      ? parts.flatMap((part) =>
          part.type === "text" && part.text.startsWith("[From a timer") ? [part.text] : [],
        )
      : [],
  );
}

/** Moves the clock on in steps until something holds, and lets the session work in between; by no step: waits for it. */
export async function passUntil(clock: FakeClock, stepMs: number, until: () => boolean): Promise<void> {
  for (let i = 0; i < 3_000 && !until(); i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 3));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    if (!until()) clock.advance(stepMs);
  }
  if (!until()) throw new Error("it never came");
}
