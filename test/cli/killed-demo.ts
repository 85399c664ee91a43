import type { ChildProcess } from "node:child_process";
import { expect } from "vitest";
import { runCli } from "./run-cli.ts";
import { type LogEvent, type Scratch, scratch } from "./scratch.ts";

/** What a resumed demo needs to go to its end where nobody can be asked. */
export const ALLOW: readonly string[] = ["--allow", "Bash(node --test)", "--allow", "Edit(src/**)"];

/** When to kill, told by the events that are written. */
export type Point = (events: readonly LogEvent[]) => boolean;

interface KilledDemo {
  readonly place: Scratch;
  readonly sessionId: string;
  readonly folder: string;
  /** What the log held when the process was gone. */
  readonly left: readonly LogEvent[];
}

/** Starts a demo and kills it as soon as its log says so; again where the kill came too late on a busy machine. */
export async function killedDemo(at: Point): Promise<KilledDemo> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const place = await scratch();
    const killed = await demoUntil(place, at);
    const left = await place.events();
    const [first] = left;
    if (!killed || first?.type !== "session.started" || left.at(-1)?.type === "result") continue;
    return { place, left, sessionId: first.data.sessionId, folder: first.data.cwd };
  }
  throw new Error("The demo ended before it could be killed, five times.");
}

async function demoUntil(place: Scratch, at: Point): Promise<boolean> {
  let child: ChildProcess | undefined;
  let over = false;
  const watch = async (): Promise<void> => {
    while (!over) {
      if (at(await place.events())) child?.kill("SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const watching = watch();
  const end = await runCli(place, ["demo", "--json"], {
    started: (process) => {
      child = process;
    },
  });
  over = true;
  await watching;
  return end.signal === "SIGKILL";
}

/** Every call that was asked for has exactly one result, and none was started twice that may not be. */
export function expectWhole(events: readonly LogEvent[]): void {
  const called = events.flatMap((event) =>
    event.type === "model.completed"
      ? event.data.message.parts.flatMap((part) => (part.type === "toolCall" ? [part.id] : []))
      : [],
  );
  const results = events.flatMap((event) => (event.type === "tool.finished" ? [event.data.callId] : []));
  expect([...results].sort()).toEqual([...called].sort());
  expect(new Set(called).size).toBe(called.length);
  const started = events.flatMap((event) =>
    event.type === "tool.started" && !event.data.repeatable ? [event.data.callId] : [],
  );
  expect(new Set(started).size).toBe(started.length);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
}
