import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Options, query, type SDKMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { ask, clientOf } from "../kit/client.ts";
import { scratch } from "../kit/session.ts";

const background = (command: string) => ({
  toolCalls: [{ name: "Bash", input: { command, run_in_background: true } }],
});
const OPEN: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };

function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^\) [ZX]/.test(stat.slice(stat.lastIndexOf(")")));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const subtypes = (messages: readonly SDKMessage[]): string[] =>
  messages.flatMap((message) => ("subtype" in message && message.type === "system" ? [message.subtype] : []));

describe("a background command of a session", () => {
  it("outlives its turn and an interrupt, is listed, is stopped by a person, and the model is told", async () => {
    const model = scriptedModel([background("sleep 60; echo never"), "one", "two"]);
    const client = clientOf({ model, ...OPEN });
    const messages = await ask(client, "go");
    expect(subtypes(messages)).toContain("task_started");
    const [task] = await client.backgroundTasks();
    expect(task).toMatchObject({ status: "running", command: "sleep 60; echo never" });
    await client.interrupt();
    expect(isAlive(task?.pid ?? 0)).toBe(true);
    expect(await client.stopTask(task?.id ?? "")).toMatchObject({ status: "stopped", signal: "SIGTERM" });
    expect(isAlive(task?.pid ?? 0)).toBe(false);
    await expect(client.stopTask("sh_none")).rejects.toMatchObject({ code: "invalid_option" });
    const later = await ask(client, "and?");
    expect(later.at(-1)).toMatchObject({ subtype: "success", result: "two", num_turns: 1 });
    const asked = JSON.stringify(model.requests.at(-1)?.messages);
    expect(asked).toContain(`[Background command ${task?.id} (sleep 60; echo never): stopped`);
    expect(asked.indexOf("and?")).toBeLessThan(asked.indexOf("[Background command"));
    await client.close();
  });

  it("is told to the model once, when it ends by itself, at the next border of a turn", async () => {
    const cwd = scratch();
    const wait = {
      toolCalls: [{ name: "Bash", input: { command: "until [ -e done ]; do sleep 0.02; done; sleep 0.5" } }],
    };
    const model = scriptedModel([background("echo hi; touch done"), wait, wait, "end"]);
    const client = clientOf({ model, cwd, ...OPEN });
    const messages = await ask(client, "go");
    expect(messages.find((m) => "subtype" in m && m.subtype === "task_notification")).toMatchObject({
      status: "completed",
      exit_code: 0,
    });
    const told = model.requests.map(
      ({ messages: all }) => JSON.stringify(all).split("[Background command").length - 1,
    );
    expect(told[0]).toBe(0);
    expect(told.at(-1)).toBe(1);
    await client.close();
  });

  it("ends with its session, and with its host", async () => {
    const model = scriptedModel([background("trap '' TERM; echo $$ > pid; sleep 60"), "done"]);
    const cwd = scratch();
    const pidOf = () => Number(readFileSync(join(cwd, "pid"), "utf8"));
    const client = clientOf({ model, cwd, ...OPEN });
    await ask(client, "go");
    await until(() => existsSync(join(cwd, "pid")) && pidOf() > 0);
    const [task] = await client.backgroundTasks();
    await client.close();
    expect(isAlive(task?.pid ?? 0)).toBe(false);

    const host = createHost({ store: memoryStore() });
    const other = clientOf({ model: scriptedModel([background("sleep 60"), "done"]), ...OPEN }, host);
    await ask(other, "go");
    const [second] = await other.backgroundTasks();
    await host.close();
    expect(isAlive(second?.pid ?? 0)).toBe(false);
    const events = await host.store.read((await host.store.list())[0]?.sessionId ?? "").catch(() => []);
    expect(events.filter(({ type }) => type === "task.finished")).toHaveLength(1);
  });

  it("C255: a hundred queries with one leave no child and no listener behind", async () => {
    const listeners = () =>
      ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((name) => process.listenerCount(name));
    const store = memoryStore();
    const runOne = async (): Promise<number> => {
      const model = scriptedModel([background("sleep 60"), "done"]);
      const session = query({
        prompt: "go",
        options: { model, cwd: process.cwd(), sessionStore: store, ...OPEN },
      });
      for await (const _ of session);
      const [summary] = await store.list({ limit: 1 });
      const events = await store.read(summary?.sessionId ?? "");
      const started = events.find((event) => event.type === "task.started");
      return started?.type === "task.started" ? started.data.pid : 0;
    };
    await runOne();
    const before = listeners();
    const pids: number[] = [];
    for (let i = 0; i < 10; i++) pids.push(...(await Promise.all(Array.from({ length: 10 }, runOne))));
    expect(pids.every((pid) => pid > 0)).toBe(true);
    await until(() => !pids.some(isAlive));
    // A group whose members end behind their leader is let go of with the last signal, two seconds later.
    await until(() => listeners().join() === before.join());
  }, 120_000);

  it("is decided like any other line", async () => {
    const asked: string[] = [];
    const model = scriptedModel([
      background("rm -r precious"),
      background("git push origin"),
      background("ls"),
      "done",
    ]);
    const client = clientOf({
      model,
      disallowedTools: ["Bash(git push:*)"],
      canUseTool: async (_, input) => {
        asked.push(String(input.command));
        return { behavior: "deny", message: "no" };
      },
    });
    await ask(client, "go");
    expect(asked).toEqual(["rm -r precious"]);
    expect((await client.backgroundTasks()).map(({ command }) => command)).toEqual(["ls"]);
    await client.close();
  });

  it("of a process that was killed is lost on resume, ended, and the model is told", async () => {
    const store = memoryStore();
    const host = createHost({ store });
    const cwd = scratch();
    const first = clientOf({ model: scriptedModel([background("sleep 60"), "one"]), cwd, ...OPEN }, host);
    const messages = await ask(first, "go");
    const id = messages[0]?.session_id ?? "";
    const [task] = await first.backgroundTasks();
    // What a killed process leaves: the log up to here, and the command.
    const events = await store.read(id);
    const left = memoryStore();
    await left.append([{ sessionId: id, project: cwd, expectedSeq: 0, batchId: "b", events }]);
    const model = scriptedModel(["two"]);
    const again = clientOf({ model, cwd, resume: id, ...OPEN }, createHost({ store: left }));
    const resumed = await ask(again, "and?");
    expect(resumed[0]).toMatchObject({ subtype: "init" });
    expect(await again.backgroundTasks()).toMatchObject([
      { id: task?.id, status: "lost", note: expect.stringContaining("has been told to end") },
    ]);
    await until(() => !isAlive(task?.pid ?? 0));
    expect(JSON.stringify(model.requests[0]?.messages)).toContain(
      `[Background command ${task?.id} (sleep 60): lost`,
    );
    await again.close();
    await first.close();
  });

  it("stays the original's in a fork", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const first = clientOf({ model: scriptedModel([background("sleep 60"), "one"]), cwd, ...OPEN }, host);
    const messages = await ask(first, "go");
    const [task] = await first.backgroundTasks();
    const options = {
      model: scriptedModel(["two"]),
      resume: messages[0]?.session_id ?? "",
      forkSession: true,
    };
    const fork = clientOf({ ...options, cwd, ...OPEN }, host);
    await ask(fork, "and?");
    expect(await fork.backgroundTasks()).toMatchObject([{ id: task?.id, status: "left" }]);
    expect(await fork.stopTask(task?.id ?? "")).toMatchObject({ status: "left" });
    await fork.close();
    expect(isAlive(task?.pid ?? 0)).toBe(true);
    await first.close();
    expect(isAlive(task?.pid ?? 0)).toBe(false);
  });
});
