import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CanUseTool,
  createHost,
  type Host,
  type Options,
  type PermissionUpdate,
  tool,
} from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { assertComplete, fakeClock, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { ask, clientOf, resultOf } from "../kit/client.ts";
import { gate, live, storedTypes } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

const touch = (name: string) => ({ toolCalls: [{ name: "Bash", input: { command: `touch ${name}` } }] });

/** Runs a session to its end and gives its id. */
async function played(
  host: Host,
  turns: Parameters<typeof scriptedModel>[0],
  options: Options,
): Promise<string> {
  const session = live("go", { model: scriptedModel(turns), ...options }, host);
  await session.ended;
  return session.results()[0]?.session_id ?? "";
}

const grant = (update: PermissionUpdate): CanUseTool => {
  return async () => ({ behavior: "allow", updatedPermissions: [update] });
};

describe("forkSession", () => {
  it("goes on in a new session with the whole history; the original stays as it is, byte by byte", async () => {
    const home = scratch();
    const cwd = scratch();
    const host = createHost({ store: jsonlStore({ home }) });
    const original = await played(host, [{ toolCalls: [{ name: "LS" }] }, "one"], { cwd, title: "Mine" });
    const before = readFileSync(logOf(home, original));
    const model = scriptedModel(["two", "three"]);
    const fork = live("and now?", { model, cwd, resume: original, forkSession: true }, host);
    await fork.ended;
    const id = fork.results()[0]?.session_id ?? "";
    expect(fork.messages[0]).toMatchObject({ subtype: "init", session_id: id, cwd });
    expect(fork.results()).toMatchObject([{ result: "two", num_turns: 1 }]);
    expect(id).not.toBe(original);
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(readFileSync(logOf(home, original)).equals(before)).toBe(true);
    const [started] = await host.store.read(id);
    const { length } = await host.store.read(original);
    expect(started?.data).toMatchObject({
      sessionId: id,
      title: "Mine",
      parent: { sessionId: original, seq: length },
    });
    // Both go on, each by itself.
    await live("more", { model, cwd, resume: id }, host).ended;
    await live("more", { model: scriptedModel(["other"]), cwd, resume: original }, host).ended;
    expect(JSON.stringify(await host.store.read(original))).not.toContain("and now?");
    await host.close();
  });

  it("may be given its id; with `continue` the newest session is copied, or a new one begins", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const sessionId = "0199a0b0-0000-7000-8000-00000000000f";
    const forked = { cwd, continue: true, forkSession: true } as const;
    expect(await played(host, ["one"], { ...forked, sessionId })).toBe(sessionId);
    const model = scriptedModel(["two"]);
    const session = live("more", { model, ...forked }, host);
    await session.ended;
    expect(session.results()[0]?.session_id).not.toBe(sessionId);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("one");
    const taken = live("more", { model: scriptedModel(["never"]), ...forked, sessionId }, host);
    await taken.ended;
    expect(taken.results()[0]?.errors?.[0]).toMatch(/a session that exists/);
  });

  it("works while the original runs, and leaves its open calls to it", async () => {
    const store = memoryStore();
    const host = createHost({ store });
    const cwd = scratch();
    const door = gate();
    const calls: string[] = [];
    const wait = tool("wait", "Waits.", { name: "string" }, async ({ name }) => {
      calls.push(name);
      await door.wait();
      return { content: [{ type: "text", text: "waited" }] };
    });
    const asked = {
      toolCalls: [
        { name: "wait", input: { name: "a" } },
        { name: "wait", input: { name: "b" } },
      ],
    };
    const running = live(
      "go",
      { model: scriptedModel([asked, "one"]), cwd, tools: [wait], allowedTools: ["wait"] },
      host,
    );
    await door.reached;
    const original = running.messages[0]?.session_id ?? "";
    const model = scriptedModel(["two"]);
    const fork = live("", { model, resume: original, forkSession: true, tools: [wait], cwd }, host);
    await fork.ended;
    expect(fork.results()).toMatchObject([{ result: "two" }]);
    const results = model.requests[0]?.messages.at(-1)?.parts ?? [];
    expect(results).toMatchObject([
      { type: "toolResult", isError: true },
      { type: "toolResult", isError: true },
    ]);
    expect(JSON.stringify(results[0])).toContain("Outcome unknown");
    expect(JSON.stringify(results[1])).toContain("Not run");
    expect(calls).toEqual(["a"]);
    door.open();
    await running.ended;
    assertComplete(running.messages);
    expect(running.results()).toMatchObject([{ result: "one" }]);
    expect(calls).toEqual(["a", "b"]);
  });

  it("never loosens: rules, mode and denies come along, what was granted on the way does not", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const allow = {
      rules: [{ toolName: "Bash", ruleContent: "touch granted" }],
      destination: "session",
    } as const;
    const original = await played(host, [touch("granted"), "one"], {
      cwd,
      allowedTools: ["Bash(touch given)"],
      canUseTool: grant({ type: "addRules", behavior: "allow", ...allow }),
    });
    const deny = {
      rules: [{ toolName: "Bash", ruleContent: "touch given" }],
      destination: "session",
    } as const;
    const denied = await played(host, [touch("other"), "two"], {
      cwd,
      resume: original,
      canUseTool: grant({ type: "addRules", behavior: "deny", ...deny }),
    });
    const tried = async (options: Options) => {
      const model = scriptedModel([touch("given"), touch("granted"), "three"]);
      const session = live("more", { model, cwd, ...options }, host);
      await session.ended;
      return session.results()[0]?.permission_denials.map(({ tool_input }) => tool_input.command);
    };
    expect(await tried({ resume: denied, forkSession: true })).toEqual(["touch given", "touch granted"]);
    // The original keeps its grant.
    expect(await tried({ resume: denied })).toEqual(["touch given"]);
  });

  it("never loosens: a rule that the session took away, and a directory that it was given", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const elsewhere = scratch();
    const remove = { behavior: "deny", rules: [{ toolName: "Bash", ruleContent: "touch never" }] } as const;
    const original = await played(host, [touch("x"), "one"], {
      cwd,
      disallowedTools: ["Bash(touch never)"],
      allowedTools: ["Bash(touch never)"],
      permissionMode: "acceptEdits",
      canUseTool: async () => ({
        behavior: "allow",
        updatedPermissions: [
          { type: "removeRules", ...remove, destination: "cliArg" },
          { type: "addDirectories", directories: [elsewhere], destination: "session" },
        ],
      }),
    });
    const write = {
      toolCalls: [{ name: "Write", input: { file_path: join(elsewhere, "a"), content: "x" } }],
    };
    const session = live(
      "more",
      { model: scriptedModel([touch("never"), write, "two"]), cwd, resume: original, forkSession: true },
      host,
    );
    await session.ended;
    expect(session.messages[0]).toMatchObject({ permissionMode: "acceptEdits" });
    expect(session.results()[0]?.permission_denials.map(({ tool_name }) => tool_name)).toEqual([
      "Bash",
      "Write",
    ]);
    expect(existsSync(join(elsewhere, "a"))).toBe(false);
    expect(existsSync(join(cwd, "never"))).toBe(false);
  });

  it("never loosens: plan mode stays on, and bypassPermissions needs its flag again", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    for (const [options, mode] of [
      [{ permissionMode: "plan" }, "plan"],
      [{ permissionMode: "dontAsk" }, "dontAsk"],
      [{ permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true }, "default"],
    ] as const) {
      const original = await played(host, ["one"], { cwd, ...options });
      const fork = live(
        "more",
        { model: scriptedModel(["two"]), cwd, resume: original, forkSession: true },
        host,
      );
      await fork.ended;
      expect(fork.messages.find((each) => each.type === "system" && each.subtype === "init")).toMatchObject({
        permissionMode: mode,
      });
    }
  });

  it("that cannot begin writes nothing", async () => {
    const store = memoryStore();
    const host = createHost({ store });
    const cwd = scratch();
    const original = await played(host, ["one"], { cwd });
    const before = await storedTypes(store, original);
    for (const options of [
      { resume: original, model: "nonsense" },
      { resume: "nobody", model: scriptedModel([]) },
      { resume: original, cwd: join(cwd, "gone"), model: scriptedModel([]) },
    ]) {
      const fork = live("more", { cwd, forkSession: true, ...options }, host);
      await fork.ended;
      expect(fork.results()).toMatchObject([{ is_error: true, num_turns: 0 }]);
    }
    expect((await store.list()).map(({ sessionId }) => sessionId)).toEqual([original]);
    expect(await storedTypes(store, original)).toEqual(before);
  });

  it("without a session to fork is an error at once", () => {
    const host = createHost({ store: memoryStore() });
    expect(() => host.query({ prompt: "go", options: { forkSession: true } })).toThrow(
      /no session to fork.*resume/,
    );
    expect(() => host.client({ forkSession: true })).toThrow(/no session to fork/);
  });
});

describe("continue", () => {
  it("takes the newest session of the directory, forks and resumed ones included, and of no other", async () => {
    const clock = fakeClock();
    const host = createHost({ store: memoryStore(), platform: { clock } });
    const cwd = scratch();
    const session = async (answer: string, options: Options): Promise<string> => {
      clock.advance(1);
      return played(host, [answer], { cwd, ...options });
    };
    const [a, b] = [await session("a", {}), await session("b", {})];
    const elsewhere = await session("c", { cwd: scratch() });
    const newest = async (): Promise<string> => {
      clock.advance(1);
      await using client = clientOf({ model: scriptedModel(["more"]), cwd, continue: true }, host);
      return resultOf(await ask(client, "more")).session_id;
    };
    expect(await newest()).toBe(b);
    await session("again", { resume: a });
    expect(await newest()).toBe(a);
    const fork = await session("fork", { resume: b, forkSession: true });
    expect(await newest()).toBe(fork);
    expect(new Set([a, b, elsewhere, fork]).size).toBe(4);
  });
});

function logOf(home: string, sessionId: string): string {
  const root = join(home, "sessions");
  const [folder = ""] = readdirSync(root).filter((name) => existsSync(join(root, name, sessionId)));
  return join(root, folder, sessionId, "log.jsonl");
}
