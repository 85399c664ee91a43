import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { SDKResultMessage, SessionEvent } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { beforeAll, describe, expect, it } from "vitest";
import { scratch } from "../kit/session.ts";
import { installProgram } from "./processes.ts";

let program: string;
beforeAll(async () => {
  program = await installProgram();
});

interface Start {
  readonly home: string;
  readonly work: string;
  readonly sessionId: string;
  readonly resume: boolean;
  readonly point?: "asking" | "recorded" | "written";
}

/** Runs a process to its end, or kills it with SIGKILL as soon as it is at its point. */
async function runOnce(start: Start): Promise<{ killed: boolean; result?: SDKResultMessage }> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [join(program, "compacting.mjs"), JSON.stringify(start)], {
    cwd: program,
    env: { PATH, HOME: start.home, CASTELLAN_HOME: start.home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.on("exit", (_, signal) => resolve(signal));
  });
  let result: SDKResultMessage | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line) as { there?: true; result?: SDKResultMessage };
    if (told.there === true) child.kill("SIGKILL");
    result ??= told.result;
  }
  const killed = (await ended) === "SIGKILL";
  return result === undefined ? { killed } : { killed, result };
}

async function eventsOf(home: string, sessionId: string): Promise<readonly SessionEvent[]> {
  const store = jsonlStore({ home });
  const events = await store.read(sessionId);
  await store.close();
  return events;
}

describe("a session that is killed while its history is summed up", () => {
  it.each(["asking", "recorded", "written"] as const)("goes on, and loses nothing: %s", async (point) => {
    const home = scratch();
    const work = join(home, "work");
    mkdirSync(work);
    const at = { home, work, sessionId: randomUUID() };
    expect(await runOnce({ ...at, resume: false, point })).toEqual({ killed: true });
    const left = await eventsOf(home, at.sessionId);
    expect(left.some(({ type }) => type === "compacted")).toBe(point === "written");

    const { killed, result } = await runOnce({ ...at, resume: true });
    expect({ killed, subtype: result?.subtype }).toEqual({ killed: false, subtype: "success" });
    const events = await eventsOf(home, at.sessionId);
    expect(events.slice(0, left.length)).toEqual(left);
    const results = events.flatMap((event) => (event.type === "tool.finished" ? [event.data.callId] : []));
    expect(results).toEqual(Array.from({ length: 30 }, (_, i) => `c${i + 1}`));
    const summed = events.flatMap((event) => (event.type === "compacted" ? [event.data] : []));
    expect(summed.length).toBeGreaterThan(0);
    for (const { words } of summed) expect(words).toEqual(["Read. Never touch /srv."]);
  });
});
