import { existsSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Options, query, resolveSettings } from "@castellan/sdk";
import { trustWorkspace } from "@castellan/sdk/permissions";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { live } from "../kit/live.ts";
import { type Outcome, once, scratch } from "../kit/session.ts";
import { ALL, bash, denials, notes, put, type SettingsPlace, settingsPlace } from "../kit/settings.ts";

let place: SettingsPlace;
let home: string;
let cwd: string;

beforeEach(() => {
  place = settingsPlace();
  ({ home, cwd } = place);
});

const platform = () => place.platform();
const inUser = (value: unknown) => place.inUser(value);
const inProject = (value: unknown, folder?: string) => place.inProject(value, folder);
const inLocal = (value: unknown) => place.inLocal(value);
const inPolicy = (value: unknown) => place.inPolicy(value);
const go: SettingsPlace["go"] = (turns, options) => place.go(turns, options);

const initMode = ({ messages }: Outcome): unknown =>
  messages.flatMap((each) =>
    each.type === "system" && each.subtype === "init" ? [each.permissionMode] : [],
  )[0];

describe("settings of a session", () => {
  it("read no file of the user or the project unless they are told to", async () => {
    inUser({ permissions: { allow: ["Bash(touch a)"] } });
    inProject("{ broken");
    const options = { settingSources: [] as const };
    expect(denials(await go(bash("touch a"), options))).toBe(1);
    expect(existsSync(join(cwd, "a"))).toBe(false);
    expect(notes(await go(["hi"], options))).toEqual([]);
    expect(denials(await go(bash("touch a"), { settingSources: ["user"] }))).toBe(0);
    expect(existsSync(join(cwd, "a"))).toBe(true);
  });

  it("take the lists of all files together, and a deny wins from anywhere", async () => {
    inUser({ permissions: { allow: ["Bash(touch:*)"], deny: ["Bash(touch user)"] } });
    inLocal({ permissions: { deny: ["Bash(touch local)"] } });
    inPolicy('{\n  "permissions": {\n    "deny": ["Bash(touch policy)"]\n  }\n}');
    for (const name of ["user", "local", "policy"]) {
      const outcome = await go(bash(`touch ${name}`), { settingSources: ["user", "local"] });
      expect(denials(outcome)).toBe(1);
    }
    const outcome = await go(bash("touch policy"), { settingSources: [], allowedTools: ["Bash"] });
    expect(outcome.texts[0]).toContain("/etc/castellan/managed-settings.json, line 3");
    expect(denials(await go(bash("touch other")))).toBe(0);
  });

  it("take the mode of the settings where no option names one", async () => {
    inUser({ permissions: { defaultMode: "plan" } });
    expect(initMode(await go(["hi"]))).toBe("plan");
    expect(initMode(await go(["hi"], { permissionMode: "acceptEdits" }))).toBe("acceptEdits");
    inPolicy({ permissions: { defaultMode: "dontAsk" } });
    const outcome = await go(["hi"], { permissionMode: "acceptEdits" });
    expect(initMode(outcome)).toBe("dontAsk");
    expect(notes(outcome)).toEqual([expect.stringMatching(/warning: The machine's policy .* sets the mode/)]);
  });

  it("let a project only tighten until it is trusted, and say so once", async () => {
    inProject({
      permissions: {
        allow: ["Bash(touch:*)"],
        deny: ["Read(secret)"],
        defaultMode: "acceptEdits",
        additionalDirectories: [home],
      },
      env: { MARK: "theirs" },
    });
    const before = await go(bash("touch a"));
    expect([denials(before), initMode(before)]).toEqual([1, "default"]);
    expect(notes(before)).toEqual([
      expect.stringMatching(
        /^warning: .*Until this workspace is trusted.*1 allow rule, 1 directory, the mode acceptEdits, 1 variable/,
      ),
    ]);
    expect(denials(await go(once("Read", { file_path: "secret" })))).toBe(1);
    const trusted = await trustWorkspace({ cwd, platform: platform() });
    expect(trusted).toMatchObject({ workspace: cwd, trusted: true, changed: true });
    const after = await go(bash("touch a; echo $MARK"));
    expect([denials(after), initMode(after), notes(after)]).toEqual([0, "acceptEdits", []]);
    expect(after.texts[0]).toContain("theirs");
    expect(denials(await go(bash("touch b"), { trustWorkspace: false }))).toBe(1);
    await trustWorkspace({ cwd, platform: platform(), remove: true });
    expect(denials(await go(bash("touch b")))).toBe(1);
  });

  it("tell directories that are not there, of files and of options, and resolveSettings does too", async () => {
    inUser({ permissions: { additionalDirectories: ["gone", "."] } });
    expect(notes(await go(["hi"], { additionalDirectories: ["../no", "."] }))).toEqual([
      expect.stringMatching(/^warning: .*settings\.json.*There is no directory .*gone: .*Make it/),
      expect.stringMatching(/^warning: options\.additionalDirectories: there is no directory .*no\. Make it/),
    ]);
    const { findings } = await resolveSettings({ cwd, platform: platform() });
    expect(findings).toMatchObject([{ code: "no-directory", key: "permissions.additionalDirectories.0" }]);
  });

  it("never take bypassPermissions from a project", async () => {
    inProject({ permissions: { defaultMode: "bypassPermissions" } });
    const outcome = await go(["hi"], { trustWorkspace: true, allowDangerouslySkipPermissions: true });
    expect(initMode(outcome)).toBe("default");
    expect(notes(outcome)[0]).toMatch(/A project's file never gives bypassPermissions/);
  });

  it("refuse bypassPermissions of the user's file without the danger flag, naming the place", async () => {
    inUser('{\n"permissions": {\n"defaultMode": "yolo"}}');
    const outcome = await go(["hi"]);
    expect(outcome.result.errors?.join()).toMatch(
      /settings\.json, line 3\) is bypassPermissions.*allowDangerously/,
    );
    expect(initMode(await go(["hi"], { allowDangerouslySkipPermissions: true }))).toBe("bypassPermissions");
  });

  it("keep a disabled bypass away, at the start and at each later switch", async () => {
    inPolicy('{\n"disableBypassPermissionsMode": "disable"\n}');
    const danger = { allowDangerouslySkipPermissions: true } as const;
    const refused = await go(["hi"], { ...danger, permissionMode: "yolo" });
    expect(refused.result.errors?.join()).toMatch(
      /is "bypassPermissions", which disableBypassPermissionsMode \(policySettings, .*line 2\)/,
    );
    inUser({ permissions: { defaultMode: "bypassPermissions" } });
    const other = await go(["hi"], danger);
    expect(initMode(other)).toBe("default");
    expect(notes(other)[0]).toMatch(/disableBypassPermissionsMode .*forbids\. The mode is default/);
    const host = createHost({ store: memoryStore(), platform: platform() });
    const client = host.client({ model: scriptedModel(["hi"]), cwd, ...danger });
    await expect(client.setPermissionMode("bypassPermissions")).rejects.toThrow(
      /disabled by disableBypass.*line 2/,
    );
    await client.close();
    await host.close();
  });

  it("deny instead of asking where any layer says so, whatever the mode", async () => {
    inProject({ denyInsteadOfPrompting: true });
    let asked = 0;
    const canUseTool = () => {
      asked += 1;
      return { behavior: "allow" } as const;
    };
    const outcome = await go(bash("touch a"), { canUseTool });
    expect(outcome.texts[0]).toMatch(/denyInsteadOfPrompting \(projectSettings, .*settings\.json, line 1\)/);
    expect(asked).toBe(0);
  });

  it("ask about every call while a file that may forbid something cannot be read", async () => {
    const file = inProject('{"permissions": {"deny": ["Bash(touch a)"');
    const danger = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true } as const;
    const outcome = await go(bash("touch a"), danger);
    expect(outcome.texts[0]).toContain(
      `Settings that may hold denies cannot be read, so every call is asked about: ${file}.`,
    );
    expect(notes(outcome)[0]).toMatch(/error: Settings .*line 1: .*every call is asked about/);
  });

  it("do not begin without a policy, a named file or an example that holds", async () => {
    const failing = async (options: Options): Promise<string> =>
      (await go(["hi"], options)).result.errors?.join() ?? "";
    expect(await failing({ settings: "none.json" })).toMatch(/There is no settings file .*none\.json/);
    put(join(cwd, "bad.json"), "{");
    expect(await failing({ settings: "bad.json" })).toMatch(/bad\.json cannot be read: line 1/);
    const rule = { rule: "Bash(ls)", behavior: "deny", match: ["Bash(cat x)"] } as const;
    expect(await failing({ permissionRules: [rule] })).toMatch(
      /permissionRules.*fails its match example Bash\(cat x\)/,
    );
    inPolicy("[]");
    expect(await failing({ settingSources: [] })).toMatch(/managed-settings\.json cannot be read/);
  });

  it("take rules from a named file, from rule objects and from managed settings", async () => {
    const file = put(join(cwd, "flag.json"), '// mine\n{"permissions": {"allow": ["Bash(touch a)"],},}');
    expect(denials(await go(bash("touch a"), { settings: file, settingSources: [] }))).toBe(0);
    const permissionRules = [{ rule: "Bash(touch:*)", behavior: "deny", reason: "Use the editor." }] as const;
    const refused = await go(bash("touch a"), { settings: file, permissionRules });
    expect(refused.texts[0]).toMatch(/permissionRules, entry 1.*Use the editor\./);
    const expired = [{ rule: "Bash(touch b)", behavior: "allow", expires: "2020-01-01" }] as const;
    expect(denials(await go(bash("touch b"), { permissionRules: expired }))).toBe(1);
    const managedSettings = { permissions: { deny: ["Bash(touch a)"] } };
    expect((await go(bash("touch a"), { settings: file, managedSettings })).texts[0]).toContain(
      "managedSettings",
    );
  });

  it("let only the policy allow where it says so: options, files and grants do not", async () => {
    inUser({ permissions: { allow: ["Bash(touch a)"] } });
    const managedSettings = {
      allowManagedPermissionRulesOnly: true,
      permissions: { allow: ["Bash(touch p)"] },
    };
    const options = { managedSettings, allowedTools: ["Bash(touch b)"] };
    for (const name of ["a", "b"]) expect(denials(await go(bash(`touch ${name}`), options))).toBe(1);
    expect(denials(await go(bash("touch p"), options))).toBe(0);
    let asked = 0;
    const toolCalls = [1, 2].map(() => ({ toolCalls: [{ name: "Bash", input: { command: "touch c" } }] }));
    await go([...toolCalls, "done"], {
      ...options,
      canUseTool: (_tool, _input, { suggestions }) => {
        asked += 1;
        return { behavior: "allow", updatedPermissions: suggestions };
      },
    });
    expect(asked).toBe(2);
  });

  it("hold the policy of a host over every session of it", async () => {
    const host = createHost({
      store: memoryStore(),
      platform: platform(),
      policy: { permissions: { deny: ["Bash(touch a)"] }, disableBypassPermissionsMode: true },
    });
    const model = scriptedModel(bash("touch a"));
    const session = live("go", { model, cwd, allowedTools: ["Bash"] }, host);
    await session.ended;
    expect(JSON.stringify(session.messages)).toContain("policySettings, policy.permissions.deny, entry 1");
    await host.close();
  });

  it("block reads and writes outside the working directories", async () => {
    inProject({ blockReadsOutsideWorkingDirectories: true });
    inUser({ permissions: { blockWritesOutsideWorkingDirectories: true, allow: ["Edit", "Read"] } });
    const outside = put(join(scratch(), "x"), "text");
    expect(denials(await go(once("Read", { file_path: outside })))).toBe(1);
    expect(denials(await go(once("Write", { file_path: `${outside}2`, content: "x" })))).toBe(1);
  });

  it("give variables to tools, below the option env, and name the model of a new session", async () => {
    inUser({ env: { A: "settings", B: "settings" }, model: "scripted:/nowhere.json" });
    const outcome = await go(bash("echo $A $B"), { env: { B: "option" }, allowedTools: ["Bash"] });
    expect(outcome.texts[0]).toContain("settings option");
    const messages = [];
    const options: Options = { cwd, platform: platform(), settingSources: ALL, persistSession: false };
    for await (const message of query({ prompt: "hi", options })) messages.push(message);
    const [error] = messages.flatMap((message) => (message.type === "result" ? (message.errors ?? []) : []));
    expect(error).toMatch(
      /The settings \(userSettings, .*line 1\) name the model "scripted:\/nowhere\.json"/,
    );
  });

  it("say which keys this release does not apply", async () => {
    inUser({
      hooks: { Stop: [] },
      sandbox: { enabled: true },
      mcpServers: { a: {} },
      modle: "x",
    });
    const told = notes(await go(["hi"]));
    expect(told.map((line) => /\): (\w+) is /.exec(line)?.[1])).toEqual([
      "modle",
      "hooks",
      "sandbox",
      "mcpServers",
    ]);
  });

  it("read other hosts' folders with compat, which mark a project as well", async () => {
    inProject({ permissions: { deny: ["Bash(touch a)"] } }, ".claude");
    inProject({ permissions: { deny: [`Read(${cwd}/secret)`] } }, ".qoder");
    put(join(cwd, "secret"), "s");
    const allowedTools = ["Bash"];
    expect(denials(await go(bash("touch a"), { allowedTools }))).toBe(0);
    const compat = ["claude", "qoder"] as const;
    expect(denials(await go(bash("touch a"), { allowedTools, compat }))).toBe(1);
    expect(denials(await go(once("Read", { file_path: "secret" }), { compat }))).toBe(1);
  });

  it("are read anew when a session goes on, while recorded lists of the options hold", async () => {
    const sessionStore = memoryStore();
    inUser({ permissions: { allow: ["Bash(touch:*)"], additionalDirectories: ["/old-place"] } });
    const first = await go(bash("touch a"), { sessionStore, disallowedTools: ["Bash(touch x)"] });
    expect(denials(first)).toBe(0);
    inUser({ permissions: { allow: ["Bash(mkdir:*)", "Bash(touch x)"] } });
    const resume = first.result.session_id;
    const again = (command: string) => go(bash(command), { sessionStore, resume });
    expect(denials(await again("touch b"))).toBe(1);
    expect(denials(await again("mkdir d"))).toBe(0);
    expect(existsSync(join(cwd, "d"))).toBe(true);
    expect((await again("touch x")).texts[0]).toContain("disallowedTools");
    const events = await sessionStore.read(resume);
    const last = events.findLast((event) => event.type === "session.configured");
    expect(JSON.stringify(last)).not.toContain("/old-place");
  });
});
