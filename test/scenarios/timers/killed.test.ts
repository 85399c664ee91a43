import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { jsonlStore } from "@castellan/sdk/stores";
import { beforeAll, describe, expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { built } from "../../setup/built.ts";

const SESSION = "0199a0b0-0000-7000-8000-0000000000d7";
let program = "";

beforeAll(async () => {
  const { folder } = await built();
  const place = mkdtempSync(join(folder, "timers-"));
  cpSync(fileURLToPath(new URL("program", import.meta.url)), place, { recursive: true });
  program = join(place, "session.mjs");
}, 60_000);

interface Run {
  readonly child: ChildProcess;
  readonly lines: unknown[];
  readonly ended: Promise<void>;
  until(line: string): Promise<void>;
}

function start(input: object): Run {
  const child = spawn(process.execPath, [program, JSON.stringify(input)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: unknown[] = [];
  let stir = (): void => {};
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    lines.push(JSON.parse(line));
    stir();
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  return {
    child,
    lines,
    ended,
    async until(wanted) {
      while (!lines.includes(wanted)) {
        await new Promise<void>((resolve) => {
          stir = resolve;
        });
      }
    },
  };
}

function place(): { readonly home: string; readonly work: string } {
  const home = scratch();
  const work = join(home, "work");
  mkdirSync(work);
  return { home, work };
}

describe("a process that is killed", () => {
  it("in the middle of a Sleep leaves it to the next one, and one of two processes goes on with it", async () => {
    const { home, work } = place();
    const first = start({ home, work, sessionId: SESSION, mode: "sleep", seconds: 2 });
    await first.until("timer_set");
    const store = jsonlStore({ home });
    while ((await store.wakes.list(SESSION)).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    first.child.kill("SIGKILL");
    await first.ended;
    expect(first.lines).toEqual(["timer_set"]);
    const [wake] = await store.wakes.list(SESSION);
    while (Date.now() < (wake?.at ?? 0)) await new Promise((resolve) => setTimeout(resolve, 20));
    const others = [1, 2].map(() => start({ home, mode: "wake" }));
    await Promise.all(others.map(({ ended }) => ended));
    const results = others.flatMap(({ lines }) => lines.filter((line) => typeof line === "object"));
    expect(results).toContainEqual({ result: "woken", terminal: "completed" });
    const events = await store.read(SESSION);
    expect(events.filter(({ type }) => type === "timer.fired")).toHaveLength(1);
    expect(JSON.stringify(events)).toMatch(/Slept for \d s\./);
    expect(await store.wakes.list(SESSION)).toEqual([]);
    await store.close();
  }, 30_000);

  it("behind a wake-up that it has set leaves that to whoever wakes sessions", async () => {
    const { home, work } = place();
    const first = start({ home, work, sessionId: SESSION, mode: "wakeup", seconds: 1 });
    await first.ended;
    expect(first.lines).toEqual(["timer_set", { result: "set", terminal: "completed" }, "end"]);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const second = start({ home, mode: "wake" });
    await second.ended;
    expect(second.lines).toEqual(["timer_fired", { result: "woken", terminal: "completed" }, "end"]);
    const third = start({ home, mode: "wake" });
    await third.ended;
    expect(third.lines).toEqual(["end"]);
  }, 30_000);
});
