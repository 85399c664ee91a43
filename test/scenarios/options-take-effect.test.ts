import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type HookInput, type Options, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live, said } from "../kit/live.ts";
import { once, run, scratch } from "../kit/session.ts";

const bash = (command: string) => once("Bash", { command });

describe("each option has its effect", () => {
  it("env: added, replaced and taken away for the processes of tools", async () => {
    const options: Options = {
      allowedTools: ["Bash"],
      env: { MARK: "yes", GIT_EDITOR: undefined, PAGER: "most" },
    };
    const { texts } = await run(bash('echo "$MARK ${GIT_EDITOR-gone} $PAGER $EDITOR"'), options);
    expect(texts[0]).toContain("yes gone most true");
  });

  it("cwd: relative paths and commands start there", async () => {
    const cwd = scratch();
    const { texts } = await run(bash("pwd"), { cwd, allowedTools: ["Bash"] });
    expect(texts[0]).toContain(cwd);
  });

  it("limits.toolConcurrency: so many safe calls run at once, and no more", async () => {
    for (const toolConcurrency of [1, 3]) {
      let running = 0;
      let most = 0;
      const slow = tool(
        "slow",
        "Is slow.",
        { n: "integer" },
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 20));
          running -= 1;
          return { content: [{ type: "text", text: "ok" }] };
        },
        { riskLevel: "low", annotations: { readOnlyHint: true } },
      );
      const toolCalls = Array.from({ length: 7 }, (_, n) => ({ name: "slow", input: { n } }));
      const host = createHost({ store: memoryStore(), limits: { toolConcurrency } });
      const model = scriptedModel([{ toolCalls }, "done"]);
      await live("go", { model, tools: [slow], allowedTools: ["slow"] }, host).ended;
      expect(most).toBe(toolConcurrency);
    }
  });

  it("additionalDirectories: another folder is a working directory, also a relative one", async () => {
    const [cwd, outside] = [scratch(), scratch()];
    const file = join(outside, "new.txt");
    const write = once("Write", { file_path: file, content: "x" });
    const options: Options = { cwd, permissionMode: "acceptEdits" };
    await run(write, options);
    expect(existsSync(file)).toBe(false);
    await run(write, { ...options, additionalDirectories: [join("..", outside.split("/").at(-1) ?? "")] });
    expect(existsSync(file)).toBe(true);
  });

  it("systemPrompt and appendSystemPrompt reach the model", async () => {
    const { model } = await run(["done"], { systemPrompt: "Be brief.", appendSystemPrompt: "Be kind." });
    expect(model.requests[0]?.system).toEqual(["Be brief.", "Be kind."]);
    const preset = await run(["done"], { systemPrompt: { type: "preset", append: "Be kind." } });
    expect(preset.model.requests[0]?.system).toEqual([
      expect.stringContaining("Working directory"),
      "Be kind.",
    ]);
  });

  it("planMode: the ceiling denies what an allow rule would let through, advisory does not", async () => {
    for (const planMode of ["ceiling", "advisory"] as const) {
      const cwd = scratch();
      const options: Options = { cwd, planMode, permissionMode: "plan", allowedTools: ["Bash(touch:*)"] };
      await run(bash("touch marker"), options);
      expect(existsSync(join(cwd, "marker"))).toBe(planMode === "advisory");
    }
  });

  it("trustWorkspace: git's read-only commands need no rule", async () => {
    for (const trustWorkspace of [false, true]) {
      const asked: unknown[] = [];
      const cwd = scratch();
      mkdirSync(join(cwd, ".git"));
      writeFileSync(join(cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
      await run(bash("git status"), {
        cwd,
        trustWorkspace,
        canUseTool: (_, input) => {
          asked.push(input.command);
          return { behavior: "deny", message: "no" };
        },
      });
      expect(asked).toEqual(trustWorkspace ? [] : ["git status"]);
    }
  });

  it("settings.permissions: rules and mode of the flag layer", async () => {
    const cwd = scratch();
    const { messages, texts } = await run(
      [
        { toolCalls: [{ name: "Write", input: { file_path: join(cwd, "a.txt"), content: "x" } }] },
        { toolCalls: [{ name: "Write", input: { file_path: join(cwd, "b.txt"), content: "x" } }] },
        "done",
      ],
      { cwd, settings: { permissions: { defaultMode: "acceptEdits", deny: ["Edit(b.txt)"] } } },
    );
    expect(messages[0]).toMatchObject({ permissionMode: "acceptEdits" });
    expect(["a.txt", "b.txt"].map((name) => existsSync(join(cwd, name)))).toEqual([true, false]);
    expect(texts[1]).toContain("Edit(b.txt)");
  });

  it("hooks: both events fire, with the fields that every input has", async () => {
    const cwd = scratch();
    const inputs: HookInput[] = [];
    const note = (input: HookInput) => {
      inputs.push(input);
      return {};
    };
    const { messages } = await run(bash("echo hi"), {
      cwd,
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [note] }], PostToolUse: [{ hooks: [note] }] },
    });
    expect(inputs.map((input) => input.hook_event_name)).toEqual(["PreToolUse", "PostToolUse"]);
    for (const input of inputs) {
      expect(input).toMatchObject({
        ...{ session_id: messages[0]?.session_id, cwd, permission_mode: "default" },
        ...{ tool_name: "Bash", tool_input: { command: "echo hi" } },
      });
    }
  });

  it("model: scripted:<file> from the start directory, also by CASTELLAN_MODEL; none is an error result", async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, "script.json"), JSON.stringify(["from a file"]));
    const store = memoryStore();
    const named = live("go", { cwd, model: "scripted:script.json" }, createHost({ store }));
    await named.ended;
    expect(named.results()).toMatchObject([{ result: "from a file" }]);
    const env = { ...process.env, CASTELLAN_MODEL: `scripted:${join(cwd, "script.json")}` };
    const fromEnv = live("go", { cwd, platform: { env } }, createHost({ store }));
    await fromEnv.ended;
    expect(fromEnv.results()).toMatchObject([{ result: "from a file" }]);
    const { CASTELLAN_MODEL: _, ...bare } = process.env;
    const none = live("go", { cwd, platform: { env: bare } }, createHost({ store }));
    await none.ended;
    expect(none.results()).toMatchObject([{ is_error: true, terminal_reason: "invalid_model" }]);
    expect(none.results()[0]?.errors?.[0]).toContain("CASTELLAN_MODEL");
  });

  it("a home behind a link: rules that start at ~ hold for the real path too", async () => {
    const [base, cwd] = [scratch(), scratch()];
    mkdirSync(join(base, "real"));
    symlinkSync(join(base, "real"), join(base, "link"));
    writeFileSync(join(base, "real/secret.txt"), "TOKEN");
    const { texts } = await run(once("Read", { file_path: join(base, "real/secret.txt") }), {
      cwd,
      platform: { homedir: () => join(base, "link") },
      allowedTools: ["Read"],
      disallowedTools: ["Read(~/secret.txt)"],
    });
    expect(texts[0]).not.toContain("TOKEN");
    expect(texts[0]).toContain("Read(~/secret.txt)");
  });

  it("a directory behind a link that is added later: rules by name hold in it, as at the start", async () => {
    const [base, cwd] = [scratch(), scratch()];
    mkdirSync(join(base, "real"));
    const added = join(base, "link");
    symlinkSync(join(base, "real"), added);
    const write = { file_path: join(added, "n.txt"), content: "x" };
    const model = scriptedModel(once("Write", write));
    const door = gate();
    const prompt = (async function* () {
      await door.wait();
      yield said("go");
    })();
    const session = live(prompt, { cwd, model, allowedTools: ["Edit(n.txt)"] });
    await session.query.addDirectories([added]);
    door.open();
    await session.ended;
    expect(existsSync(join(base, "real/n.txt"))).toBe(true);
  });
});
