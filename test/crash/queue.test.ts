import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createHost, type SDKUserMessage } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { beforeAll, describe, expect, it } from "vitest";
import { said } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";
import { installProgram } from "./processes.ts";

const SESSION = "0199a0b0-0000-7000-8000-0000000000c8";
let program = "";
beforeAll(async () => {
  program = await installProgram();
});

interface Told {
  readonly id?: string;
  readonly receipts?: readonly unknown[];
  readonly results?: readonly string[];
  readonly heard?: readonly (readonly string[])[];
  readonly sent?: number;
}

interface Start {
  readonly prompt: string;
  readonly resume: boolean;
  readonly messages?: readonly SDKUserMessage[];
  readonly cancel?: readonly string[];
  readonly approvals?: unknown;
  readonly waits?: boolean;
}

/** Runs one process; one that waits is killed with SIGKILL as soon as it has said that its messages are taken in. */
async function processOf(home: string, cwd: string, start: Start): Promise<Told> {
  const given = { home, cwd, sessionId: SESSION, approvals: "durable", ...start };
  const child = spawn(process.execPath, [join(program, "queue.mjs"), JSON.stringify(given)], {
    env: { PATH: process.env.PATH, HOME: home, CASTELLAN_HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise((resolve) => child.on("exit", resolve));
  let told: Told = {};
  for await (const line of createInterface({ input: child.stdout })) {
    told = { ...told, ...(JSON.parse(line) as Told) };
    if (start.waits === true) child.kill("SIGKILL");
  }
  await gone;
  return told;
}

async function approve(home: string, id: string | undefined): Promise<void> {
  const store = jsonlStore({ home });
  const host = createHost({ store });
  await host.approvals.approve(id ?? "", { by: "ann" });
  await host.close();
  await store.close();
}

const WAITING = ["later", "next", "later"].map((priority, i) =>
  said(`message ${i}`, { uuid: `m${i}`, priority: priority as "later" }),
);

describe("messages behind a call that waits, when the process is killed", () => {
  it("are heard by the next one, once, behind the results of the round and before what is said there", async () => {
    const [home, cwd] = [scratch(), scratch()];
    const first = { prompt: "go", resume: false, waits: true, messages: WAITING };
    const { id } = await processOf(home, cwd, first);
    await approve(home, id);
    const told = await processOf(home, cwd, { prompt: "and?", resume: true });
    expect(told.results).toEqual(["one"]);
    expect(told.sent).toBe(1);
    expect(told.heard).toEqual([
      [
        ...["user: go", "assistant: toolCall", "tool: toolResult"],
        ...["user: message 0", "user: message 1", "user: message 2", "user: and?"],
      ],
    ]);
    const once = await processOf(home, cwd, { prompt: "more", resume: true });
    expect(once.heard?.[0]?.filter((line) => line.startsWith("user: message"))).toHaveLength(3);
  });

  it("and cancelled before that are not heard; the session goes on by itself with the others", async () => {
    const [home, cwd] = [scratch(), scratch()];
    const first = { prompt: "go", resume: false, waits: true, messages: WAITING, cancel: ["m1", "m1", "go"] };
    const { id, receipts } = await processOf(home, cwd, first);
    expect(receipts).toEqual([
      { cancelled: true },
      { cancelled: false, reason: "unknown" },
      { cancelled: false, reason: "unknown" },
    ]);
    await approve(home, id);
    const told = await processOf(home, cwd, { prompt: "", resume: true });
    expect(told.results).toEqual(["one"]);
    expect(told.heard?.[0]?.slice(3)).toEqual(["user: message 0", "user: message 2"]);
  });

  it("survive a second kill, and wait on where nobody has decided", async () => {
    const [home, cwd] = [scratch(), scratch()];
    const more = [said("from the second", { uuid: "s" })];
    await processOf(home, cwd, { prompt: "go", resume: false, waits: true, messages: WAITING });
    const { id } = await processOf(home, cwd, { prompt: "", resume: true, waits: true, messages: more });
    await approve(home, id);
    const told = await processOf(home, cwd, { prompt: "", resume: true });
    expect([told.results, told.sent]).toEqual([["one"], 1]);
    expect(told.heard?.[0]?.slice(3)).toEqual(
      [0, 1, 2].map((n) => `user: message ${n}`).concat("user: from the second"),
    );
  });

  it("with rejectPending the call is rejected first, also by the process that comes after", async () => {
    const [home, cwd] = [scratch(), scratch()];
    await processOf(home, cwd, { prompt: "go", resume: false, waits: true, messages: WAITING });
    const approvals = { mode: "durable", rejectPending: true };
    const told = await processOf(home, cwd, { prompt: "never mind", resume: true, approvals });
    expect([told.results, told.sent]).toEqual([["one"], 0]);
    expect(told.heard?.[0]?.slice(2)).toEqual([
      "tool: toolResult",
      ...[0, 1, 2].map((n) => `user: message ${n}`),
      "user: never mind",
    ]);
  });
});
