import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { type LogEvent, type Scratch, scratch } from "./scratch.ts";

const ALLOW = ["--allow", "Bash(node --test)", "--allow", "Edit(src/**)"];

type Point = (events: readonly LogEvent[]) => boolean;
const has =
  (type: LogEvent["type"], name?: string): Point =>
  (events) =>
    events.some(
      (event) =>
        event.type === type && (name === undefined || ("name" in event.data && event.data.name === name)),
    );
const times =
  (count: number, type: LogEvent["type"]): Point =>
  (events) =>
    events.filter((event) => event.type === type).length >= count;

const points: readonly { readonly name: string; readonly at: Point }[] = [
  { name: "before the first request", at: has("session.configured") },
  { name: "while the first command runs", at: has("tool.started", "Bash") },
  { name: "behind the search", at: has("tool.finished", "Grep") },
  {
    name: "behind the denial",
    at: (events) => events.some((event) => event.type === "tool.decided" && event.data.behavior === "deny"),
  },
  { name: "as the edit starts", at: has("tool.started", "Edit") },
  { name: "behind the edit", at: has("tool.finished", "Edit") },
  {
    name: "as the last command starts",
    at: (events) =>
      events.filter((event) => event.type === "tool.started" && event.data.name === "Bash").length > 1,
  },
  { name: "in the last turns", at: times(8, "model.completed") },
];

/** Starts a demo and kills it as soon as its log says so; gives the session's id and what the log held then. */
async function killedDemo(place: Scratch, at: Point): Promise<{ id: string; left: readonly LogEvent[] }> {
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
  expect(end.signal).toBe("SIGKILL");
  const left = await place.events();
  const [first] = left;
  if (first?.type !== "session.started") throw new Error("The log does not begin with session.started.");
  return { id: first.data.sessionId, left };
}

/** Every call that was asked for has exactly one result, and none was started twice that may not be. */
function expectWhole(events: readonly LogEvent[]): void {
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

describe("a demo that was killed", () => {
  it.each(points)(
    "goes on: $name",
    async ({ at }) => {
      const place = await scratch();
      const { id, left } = await killedDemo(place, at);
      const { code, stdout, stderr } = await runCli(place, ["run", "--resume", id, ...ALLOW]);
      const events = await place.events();
      expect(events.slice(0, left.length)).toEqual(left);
      expectWhole(events);
      expect(events.at(-1)?.type).toBe("result");
      expect(stderr).not.toContain("does not bring");

      const folder = left[0]?.type === "session.started" ? left[0].data.cwd : "";
      const source = await readFile(join(folder, "src/shipping.js"), "utf8");
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining("Fixed: an order of exactly the threshold ships free."),
      });
      expect(source).toContain("  return total >= freeFrom ? 0 : 5;");
      // The demo's own tool is there again, and ran once.
      const noted = events.filter((event) => event.type === "tool.finished" && event.data.name === "log_fix");
      expect(noted.map((event) => event.type === "tool.finished" && event.data.outcome)).toEqual([
        "finished",
      ]);
    },
    60_000,
  );

  it("is found by --continue in its folder, with its tool", async () => {
    const place = await scratch();
    const { left } = await killedDemo(place, has("tool.finished", "Edit"));
    const folder = left[0]?.type === "session.started" ? left[0].data.cwd : "";
    const end = await runCli(place, ["run", "Go on.", "--continue", "--cwd", folder, ...ALLOW]);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining("Fixed:") });
    expect(end.stderr).toContain("Fix 1 noted: src/shipping.js.");
  }, 60_000);
});
