import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { CanUseTool, JsonObject, ToolDefinition } from "../protocol/index.ts";
import type { GateKit, GateKitOptions } from "./test-kit.ts";
import { gateKit, makeTool } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

async function made(options: GateKitOptions): Promise<GateKit> {
  const kit = await gateKit(options);
  kits.push(kit);
  return kit;
}

/** Its target is the name in its input, so that rules like `send(anna)` bind it. */
const send = (fields: Partial<ToolDefinition> = {}): ToolDefinition =>
  makeTool("send", {
    targets: (input) => [{ kind: "name", value: String(input.to) }],
    parseInput: (value) => {
      const input = value as JsonObject;
      if (typeof input.to === "string") return { ok: true, input };
      return {
        ok: false,
        issues: [{ path: "to", message: "is required", expected: "string", got: "nothing" }],
      };
    },
    ...fields,
  });

const HOOK_ASKS = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } } as const;

const editTo =
  (updatedInput: JsonObject): CanUseTool =>
  () => ({ behavior: "allow", updatedInput });

describe("an edit by canUseTool", () => {
  it("runs with the new input, which the decision carries", async () => {
    const kit = await made({ tools: [send()], canUseTool: editTo({ to: "berta" }) });
    expect(await kit.ask("send", { to: "anna" })).toMatchObject({
      kind: "run",
      input: { to: "berta" },
      targets: [{ kind: "name", value: "berta" }],
      decision: { behavior: "allow", reason: { type: "callback" }, updatedInput: { to: "berta" } },
    });
  });

  it("is validated", async () => {
    const kit = await made({ tools: [send()], canUseTool: editTo({ too: "berta" }) });
    const verdict = await kit.ask("send", { to: "anna" });
    expect(verdict).toMatchObject({ kind: "refuse", code: "denied" });
    expect(verdict.kind === "refuse" && verdict.text).toMatch(
      /updatedInput does not fit.*- to: is required/s,
    );
  });

  it("does not pass a deny rule", async () => {
    const kit = await made({
      tools: [send()],
      rules: { deny: ["send(carla)"] },
      canUseTool: editTo({ to: "carla" }),
    });
    expect(await kit.ask("send", { to: "anna" })).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "rule", rule: { text: "send(carla)" } } },
    });
  });

  it("does not pass an ask rule that nobody answered", async () => {
    const kit = await made({
      tools: [send()],
      rules: { ask: ["send(carla)"] },
      canUseTool: editTo({ to: "carla" }),
    });
    const verdict = await kit.ask("send", { to: "anna" });
    expect(verdict).toMatchObject({ kind: "refuse", code: "denied" });
    expect(verdict.kind === "refuse" && verdict.text).toMatch(/raises a question which nobody was asked/);
  });

  it("does not pass an ask rule that stands behind an answered one", async () => {
    const kit = await made({
      tools: [send()],
      rules: { ask: ["send", "send(carla)"] },
      canUseTool: editTo({ to: "carla" }),
    });
    expect(await kit.ask("send", { to: "anna" })).toMatchObject({ kind: "refuse", code: "denied" });
  });

  it("passes under the very ask rule that was answered", async () => {
    const kit = await made({
      tools: [send()],
      rules: { ask: ["send"] },
      canUseTool: editTo({ to: "carla" }),
    });
    expect(await kit.ask("send", { to: "anna" })).toMatchObject({ kind: "run", input: { to: "carla" } });
  });

  it("passes under a hook's question that a safety check hid", async () => {
    const put = makeTool("put", {
      targets: (input) => [{ kind: "path", access: "write", path: String(input.path) }],
    });
    const kit = await made({
      tools: [put],
      hooks: { PreToolUse: [{ hooks: [() => HOOK_ASKS] }] },
      canUseTool: editTo({ path: "plain.txt" }),
    });
    expect(await kit.ask("put", { path: ".git/config" })).toMatchObject({ kind: "run" });
    expect(await kit.ask("put", { path: "other.txt" })).toMatchObject({ kind: "run" });
  });

  it("answers a tool that needs the user", async () => {
    const kit = await made({
      tools: [send({ requiresUserInteraction: () => true })],
      context: { mode: "bypassPermissions", isBypassAvailable: true },
      canUseTool: editTo({ to: "anna", answers: { q: "a" } }),
    });
    expect(await kit.ask("send", { to: "anna" })).toMatchObject({ kind: "run", asked: true });
  });

  it("does not reach a protected path that the question did not show", async () => {
    const write = makeTool("put", {
      targets: (input) => (input.paths as string[]).map((path) => ({ kind: "path", access: "write", path })),
    });
    const start = async (edited: string[]): Promise<unknown> => {
      const kit = await made({ tools: [write], canUseTool: editTo({ paths: edited }) });
      await mkdir(join(kit.cwd, ".git/hooks"), { recursive: true });
      await writeFile(join(kit.cwd, ".git/config"), "");
      return kit.ask("put", { paths: [".git/config"] });
    };
    expect(await start([".git/config", ".git/hooks/pre-commit"])).toMatchObject({
      kind: "refuse",
      code: "denied",
    });
    expect(await start([".git/config", "plain.txt"])).toMatchObject({ kind: "run" });
  });

  it("is shown to the tool's check", async () => {
    const checked = send({
      hasCheck: true,
      checkPermissions: (input) =>
        input.to === "carla" ? { behavior: "deny", message: "never carla" } : { behavior: "passthrough" },
    });
    const kit = await made({ tools: [checked], canUseTool: editTo({ to: "carla" }) });
    expect(await kit.ask("send", { to: "anna" })).toMatchObject({
      kind: "refuse",
      text: expect.stringContaining("never carla"),
    });
  });

  it("cannot be changed after it was decided", async () => {
    const updatedInput: JsonObject = { to: "berta" };
    const kit = await made({ tools: [send()], canUseTool: editTo(updatedInput) });
    const verdict = await kit.ask("send", { to: "anna" });
    updatedInput.to = "carla";
    expect(verdict).toMatchObject({ input: { to: "berta" } });
  });

  it("counts when the shown input itself was changed and returned", async () => {
    const kit = await made({
      tools: [send()],
      canUseTool: (_, input) => {
        input.to = "berta";
        return { behavior: "allow", updatedInput: input };
      },
    });
    expect(await kit.ask("send", { to: "anna" })).toMatchObject({ kind: "run", input: { to: "berta" } });
  });
});

describe("an edit by a hook or the tool's check", () => {
  const rewrite = (updatedInput: JsonObject): NonNullable<GateKitOptions["hooks"]> => ({
    PreToolUse: [{ hooks: [() => ({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } })] }],
  });

  it("of a hook is validated and decided", async () => {
    const rules = { allow: ["send(anna)"], deny: ["send(carla)"] };
    const fine = await made({ tools: [send()], rules, hooks: rewrite({ to: "anna" }) });
    expect(await fine.ask("send", { to: "carla" })).toMatchObject({ kind: "run", input: { to: "anna" } });
    const bad = await made({ tools: [send()], rules, hooks: rewrite({ to: "carla" }) });
    expect(await bad.ask("send", { to: "anna" })).toMatchObject({ kind: "refuse", code: "denied" });
    const invalid = await made({ tools: [send()], rules, hooks: rewrite({ to: 5 }) });
    expect(await invalid.ask("send", { to: "anna" })).toMatchObject({
      kind: "refuse",
      code: "invalid_input",
      text: expect.stringMatching(/PreToolUse hook changed the input.*- to: is required/s),
    });
  });

  it("of a check is validated, decided, and shown to the check once more", async () => {
    const rules = { allow: ["send(anna)"], deny: ["send(carla)"] };
    const seen: unknown[] = [];
    const turning = (to: JsonObject["to"]): ToolDefinition =>
      send({
        hasCheck: true,
        checkPermissions: (input) => {
          seen.push(input.to);
          return { behavior: "passthrough", updatedInput: { to: to ?? null } };
        },
      });
    const fine = await made({ tools: [turning("anna")], rules });
    expect(await fine.ask("send", { to: "carla" })).toMatchObject({ kind: "run", input: { to: "anna" } });
    expect(seen).toEqual(["carla", "anna"]);
    const bad = await made({ tools: [turning("carla")], rules });
    expect(await bad.ask("send", { to: "anna" })).toMatchObject({ kind: "refuse", code: "denied" });
    const invalid = await made({ tools: [turning(5)], rules });
    expect(await invalid.ask("send", { to: "anna" })).toMatchObject({
      kind: "refuse",
      code: "invalid_input",
    });
  });

  it("of a check cannot reach what the check itself refuses, and is applied once", async () => {
    const sent = (): ToolDefinition =>
      send({
        hasCheck: true,
        checkPermissions: ({ to }) =>
          to === "carla"
            ? { behavior: "deny", message: "never carla" }
            : { behavior: "allow", updatedInput: { to: to === "anna" ? "carla" : `${to}!` } },
      });
    const kit = await made({ tools: [sent()] });
    expect(await kit.ask("send", { to: "anna" })).toMatchObject({ kind: "refuse", code: "denied" });
    expect(await kit.ask("send", { to: "berta" })).toMatchObject({ kind: "run", input: { to: "berta!" } });
  });
});

describe("a path that comes to mean another place while a person thinks", () => {
  const put = makeTool("put", {
    targets: (input) => [{ kind: "path", access: "write", path: String(input.path) }],
  });

  it.each([
    ["a protected file", ".git/config"],
    ["a file elsewhere", "../outside.txt"],
  ])("is not allowed with it: %s", async (_, leadsTo) => {
    const kit = await made({
      tools: [put],
      canUseTool: async () => {
        await rm(join(kit.cwd, "notes.txt"));
        await symlink(join(kit.cwd, leadsTo), join(kit.cwd, "notes.txt"));
        return { behavior: "allow" };
      },
    });
    await mkdir(join(kit.cwd, ".git"));
    await writeFile(join(kit.cwd, "notes.txt"), "");
    const verdict = await kit.ask("put", { path: "notes.txt" });
    expect(verdict).toMatchObject({ kind: "refuse", code: "denied", asked: true });
    expect(verdict.kind === "refuse" && verdict.text).toContain("another place on the disk");
  });

  it("is allowed where only the file was replaced at its place", async () => {
    const kit = await made({
      tools: [put],
      canUseTool: async () => {
        await rm(join(kit.cwd, "notes.txt"));
        await writeFile(join(kit.cwd, "notes.txt"), "new");
        return { behavior: "allow" };
      },
    });
    await writeFile(join(kit.cwd, "notes.txt"), "");
    expect(await kit.ask("put", { path: "notes.txt" })).toMatchObject({ kind: "run", asked: true });
  });
});
