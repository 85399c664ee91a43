import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Options, PERMISSION_MODES, type PermissionMode, query, tool } from "@castellan/sdk";
import { listRules } from "@castellan/sdk/permissions";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run, scratch } from "../kit/session.ts";
import { notes, settingsPlace } from "../kit/settings.ts";

const DANGER: Options = { allowDangerouslySkipPermissions: true };
const bash = (command: string) => once("Bash", { command });

/** Whether somebody was asked, and whether the call ran; whoever is asked says no. */
async function end(step: ReturnType<typeof once>, options: Options): Promise<"runs" | "asks" | "denied"> {
  let asked = 0;
  const { users } = await run(step, {
    ...DANGER,
    ...options,
    canUseTool: () => {
      asked += 1;
      return { behavior: "deny", message: "not now" };
    },
  });
  if (resultBlock(users[0]).is_error !== true) return "runs";
  return asked === 0 ? "denied" : "asks";
}

describe("permissionMode", () => {
  it("q19 in part: default, acceptEdits, bypassPermissions, yolo, plan and dontAsk, each as described", async () => {
    const outside = scratch();
    const cases: readonly (readonly [what: string, step: ReturnType<typeof once>])[] = [
      ["a read inside", once("Read", { file_path: "a.txt" })],
      ["a read outside", once("Read", { file_path: join(outside, "o.txt") })],
      ["an edit inside", once("Write", { file_path: "new.txt", content: "x" })],
      ["an edit outside", once("Write", { file_path: join(outside, "new.txt"), content: "x" })],
      ["a program", bash("./program")],
      ["a removal inside", bash("rm -r build")],
      ["what a rule allows", bash("touch allowed")],
    ];
    writeFileSync(join(outside, "o.txt"), "o");
    const expected: Readonly<Record<string, readonly string[]>> = {
      default: ["runs", "asks", "asks", "asks", "asks", "asks", "runs"],
      acceptEdits: ["runs", "asks", "runs", "asks", "asks", "runs", "runs"],
      // Bypass was available at start: what passes the ceiling is not asked about.
      plan: ["runs", "runs", "denied", "denied", "denied", "denied", "denied"],
      dontAsk: ["runs", "denied", "denied", "denied", "denied", "denied", "runs"],
      bypassPermissions: ["runs", "runs", "runs", "runs", "runs", "runs", "runs"],
    };
    const modes = [...Object.keys(expected), "yolo", undefined] as (PermissionMode | "yolo" | undefined)[];
    for (const permissionMode of modes) {
      const ends: string[] = [];
      for (const [, step] of cases) {
        const cwd = scratch();
        writeFileSync(join(cwd, "a.txt"), "a");
        writeFileSync(join(cwd, "program"), "#!/bin/sh\n", { mode: 0o755 });
        mkdirSync(join(cwd, "build"));
        const mode = permissionMode === undefined ? {} : { permissionMode };
        rmSync(join(outside, "new.txt"), { force: true });
        ends.push(await end(step, { cwd, allowedTools: ["Bash(touch allowed)"], ...mode }));
      }
      const same = permissionMode === "yolo" ? "bypassPermissions" : (permissionMode ?? "default");
      expect(ends, String(permissionMode)).toEqual(expected[same]);
    }
  });

  it("c02 in part: five modes that a user may set, by an option, a file and a switch", async () => {
    expect([...PERMISSION_MODES].sort()).toEqual(
      ["acceptEdits", "bypassPermissions", "default", "dontAsk", "plan"].sort(),
    );
    for (const permissionMode of PERMISSION_MODES) {
      const place = settingsPlace();
      expect(await modeAtStart(place.go(["hi"], { permissionMode, ...DANGER }))).toBe(permissionMode);
      place.inUser({ permissions: { defaultMode: permissionMode } });
      expect(await modeAtStart(place.go(["hi"], DANGER))).toBe(permissionMode);
    }
  });

  it("c02 in part: bubble is an error, wherever a user sets it", async () => {
    const bubble = "bubble" as PermissionMode;
    expect(() => query({ prompt: "go", options: { permissionMode: bubble } })).toThrow(
      /options\.permissionMode is "bubble".*Only the runtime/s,
    );
    const place = settingsPlace();
    const file = place.inUser({ permissions: { defaultMode: "bubble" } });
    const outcome = place.go(["hi"]);
    expect(await modeAtStart(outcome)).toBe("default");
    expect(notes(await outcome)).toEqual([expect.stringContaining(`error: Settings (userSettings, ${file}`)]);
    await expect(listRules({ mode: bubble })).rejects.toMatchObject({ code: "invalid_option" });

    const session = query({
      prompt: "go",
      options: { model: scriptedModel(["hi"]), cwd: scratch(), persistSession: false },
    });
    await session.next();
    await expect(session.setPermissionMode(bubble)).rejects.toThrow(/bubble/);
    for await (const _ of session);

    const cwd = scratch();
    const { users } = await run(bash("touch made"), {
      cwd,
      canUseTool: () => ({
        behavior: "allow",
        updatedPermissions: [{ type: "setMode", mode: bubble, destination: "session" }],
      }),
    });
    expect(resultBlock(users[0]).is_error).toBe(true);
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  it("c05 in part: an ask on the whole tool asks in every mode, whatever allows", async () => {
    const mark = tool("mark", "Leaves a mark.", {}, () => ({ content: [] }), {
      riskLevel: "low",
      annotations: { readOnlyHint: true },
    });
    const rows = [
      ["Read", once("Read", { file_path: "a.txt" })],
      ["Bash", bash("ls")],
      ["mark", once("mark")],
    ] as const;
    for (const [name, step] of rows) {
      for (const permissionMode of PERMISSION_MODES) {
        const cwd = scratch();
        writeFileSync(join(cwd, "a.txt"), "a");
        const options: Options = { cwd, permissionMode, tools: [name === "mark" ? mark : name] };
        const allowed = { ...options, allowedTools: [name] };
        expect(await end(step, allowed), `${name} in ${permissionMode}`).toBe("runs");
        const asked = { ...allowed, settings: { permissions: { ask: [name] } } };
        const wanted = permissionMode === "dontAsk" ? "denied" : "asks";
        expect(await end(step, asked), `${name} in ${permissionMode}`).toBe(wanted);
      }
    }
  });
});

async function modeAtStart(outcome: ReturnType<typeof run>): Promise<unknown> {
  const { messages } = await outcome;
  return messages.flatMap((each) =>
    each.type === "system" && each.subtype === "init" ? [each.permissionMode] : [],
  )[0];
}
