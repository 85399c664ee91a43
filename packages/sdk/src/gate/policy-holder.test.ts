import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { PermissionUpdate } from "../protocol/index.ts";
import { createPolicyHolder } from "./index.ts";
import type { GateKit, GateKitOptions } from "./test-kit.ts";
import { gateKit } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

async function made(options: GateKitOptions = {}): Promise<GateKit> {
  const kit = await gateKit(options);
  kits.push(kit);
  return kit;
}

const add = (toolName: string, more: Partial<PermissionUpdate> = {}): PermissionUpdate =>
  ({
    type: "addRules",
    behavior: "allow",
    rules: [{ toolName }],
    destination: "session",
    ...more,
  }) as PermissionUpdate;

describe("the policy holder", () => {
  it("makes a new context for each change, and leaves the old one alone", async () => {
    const { holder } = await made();
    const before = holder.current();
    expect(holder.update([add("Bash")], "user")).toEqual({ ok: true });
    const after = holder.current();
    expect(after.context).not.toBe(before.context);
    expect(after.policy).not.toBe(before.policy);
    expect(before.context.rules).toEqual([]);
    expect(after.context.rules).toMatchObject([{ text: "Bash", source: "session" }]);
  });

  it("records what the session added, and not the rules of its start", async () => {
    const kit = await made({ rules: { allow: ["Read"] } });
    kit.holder.update([add("Bash")], "user");
    kit.holder.update([{ type: "addDirectories", directories: ["/data"], destination: "session" }], "tool");
    expect(kit.of("rules.changed")).toMatchObject([
      { by: "user", rules: [{ text: "Bash" }], additionalDirectories: [] },
      { by: "tool", rules: [{ text: "Bash" }], additionalDirectories: [["/data", "session"]] },
    ]);
    expect(kit.of("rules.changed")[0]?.rules).toHaveLength(1);
  });

  it("goes on recording what an earlier run's update added, and what was taken from the start's rules", async () => {
    const granted = { text: "Bash(rm:*)", behavior: "deny", source: "cliArg" } as const;
    const own = { text: "Read", behavior: "allow", source: "cliArg", file: "allowedTools" } as const;
    const { holder: first, recorder, deps, of } = await made();
    const context = { ...first.current().context, rules: [own, granted] };
    const holder = createPolicyHolder({ context, granted: [granted], recorder, platform: deps.platform });
    holder.update([add("Edit")], "user");
    holder.update([add("Read", { type: "removeRules", destination: "cliArg" })], "user");
    const [before, after] = of("rules.changed");
    expect(before?.rules).toMatchObject([granted, { text: "Edit" }]);
    expect(before).not.toHaveProperty("removed");
    expect(after?.rules).toMatchObject([granted, { text: "Edit" }]);
    expect(after?.removed).toEqual([own]);
  });

  it("follows the links of added directories, and never changes a form", async () => {
    const kit = await made();
    const [known, link, real] = ["l", "m", "real"].map((name) => join(kit.cwd, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(real);
    for (const path of [known, link]) await symlink(real, path);
    const context = { ...kit.holder.current().context, realForms: new Map([[known, "/first"]]) };
    const holder = createPolicyHolder({ context, recorder: kit.recorder, platform: kit.deps.platform });
    const add = (...directories: string[]): PermissionUpdate => ({
      type: "addDirectories",
      directories,
      destination: "session",
    });
    expect(holder.update([add(known), add(link, real)], "user")).toEqual({ ok: true });
    const forms = new Map([
      [known, "/first"],
      [link, real],
    ]);
    expect(holder.current().context.realForms).toEqual(forms);
    const other = join(kit.cwd, "n");
    await symlink(real, other);
    expect(holder.update([add(other), add("relative")], "user")).toMatchObject({ ok: false });
    expect(holder.current().context.realForms?.has(other)).toBe(false);
  });

  it("applies all updates or none", async () => {
    const kit = await made();
    const before = kit.holder.current();
    const outcome = kit.holder.update(
      [add("Bash"), add("Edit", { destination: "somewhere" as never })],
      "user",
    );
    expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(/somewhere is no destination/) });
    expect(
      kit.holder.update([add("Bash"), { type: "setMode", mode: "yolo", destination: "session" }], "user").ok,
    ).toBe(false);
    expect(kit.holder.current()).toBe(before);
    expect(kit.events).toEqual([]);
  });

  it("refuses bypass without the danger flag, under both names", async () => {
    const kit = await made();
    for (const mode of ["yolo", "bypassPermissions"]) {
      expect(kit.holder.setMode(mode, "user")).toMatchObject({
        ok: false,
        error: expect.stringMatching(/allowDangerouslySkipPermissions/),
      });
    }
    expect(kit.holder.current().context.mode).toBe("default");
    const free = await made({ context: { isBypassAvailable: true } });
    expect(free.holder.setMode("yolo", "user")).toEqual({ ok: true });
    expect(free.holder.current().context.mode).toBe("bypassPermissions");
  });

  it.each(["bubble", "auto", "Default", "__proto__", ""])("refuses the mode %j", async (mode) => {
    const kit = await made({ context: { isBypassAvailable: true } });
    expect(kit.holder.setMode(mode, "user")).toMatchObject({
      ok: false,
      error: expect.stringMatching(/no permission mode/),
    });
    expect(kit.events).toEqual([]);
  });

  it("remembers the mode before plan mode and gives it back", async () => {
    const kit = await made({ context: { mode: "acceptEdits" } });
    kit.holder.setMode("plan", "tool");
    expect(kit.holder.current().context).toMatchObject({ mode: "plan", prePlanMode: "acceptEdits" });
    kit.holder.setMode("plan", "tool");
    kit.holder.leavePlanMode("tool");
    expect(kit.holder.current().context.mode).toBe("acceptEdits");
    expect(kit.holder.current().context.prePlanMode).toBeUndefined();
    kit.holder.leavePlanMode("tool");
    expect(kit.of("mode.changed")).toEqual([
      { mode: "plan", prePlanMode: "acceptEdits", by: "tool" },
      { mode: "acceptEdits", by: "tool" },
    ]);
  });

  it("remembers it too when an update enters plan mode", async () => {
    const kit = await made({ context: { mode: "acceptEdits" } });
    kit.holder.update([{ type: "setMode", mode: "plan", destination: "session" }], "canUseTool");
    expect(kit.holder.current().context).toMatchObject({ mode: "plan", prePlanMode: "acceptEdits" });
    kit.holder.setMode("default", "user");
    expect(kit.holder.current().context.prePlanMode).toBeUndefined();
  });

  it("leaves plan mode for default, and says so, where the mode before it may not be had any more", async () => {
    const kit = await made({ context: { mode: "plan", prePlanMode: "bypassPermissions" } });
    expect(kit.holder.leavePlanMode("tool")).toEqual({
      ok: true,
      note: expect.stringMatching(/bypassPermissions.*default/),
    });
    expect(kit.holder.current().context.mode).toBe("default");
    expect(kit.of("mode.changed")).toEqual([{ mode: "default", by: "tool" }]);
  });
});
