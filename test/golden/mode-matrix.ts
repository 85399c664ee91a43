import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Options, PermissionMode } from "@castellan/sdk";
import { expect } from "vitest";
import { once, run, scratch } from "../kit/session.ts";
import { type MatrixCall, matrixCalls } from "./mode-calls.ts";

const DANGER: Options = { allowDangerouslySkipPermissions: true };
const mode = (permissionMode: PermissionMode | "yolo"): Options => ({ permissionMode });

/** The columns, as the table heads them. */
export const MODES: ReadonlyMap<string, Options> = new Map<string, Options>([
  ["default", mode("default")],
  ["acceptEdits", mode("acceptEdits")],
  ["plan", mode("plan")],
  ["plan, danger flag", { ...mode("plan"), ...DANGER }],
  ["dontAsk", mode("dontAsk")],
  ["bypassPermissions", { ...mode("bypassPermissions"), ...DANGER }],
  ["yolo", { ...mode("yolo"), ...DANGER }],
]);

/** Folders with what the calls are about. */
export async function matrixPlaces(): Promise<{ readonly cwd: string; readonly outside: string }> {
  const cwd = scratch();
  const outside = scratch();
  await mkdir(join(cwd, "build"));
  await writeFile(join(cwd, "a.txt"), "a\n");
  await writeFile(join(outside, "o.txt"), "o\n");
  return { cwd, outside };
}

/**
 * What a real session does with a call: `allow`, `deny`, `asked` (somebody was asked, and it ran), `nobody` (denied
 * because nobody could be asked), `invalid`.
 */
async function cell(call: MatrixCall, cwd: string, options: Options, withCallback: boolean): Promise<string> {
  let asked = 0;
  const canUseTool: Options["canUseTool"] = (name, input) => {
    asked += 1;
    const answers = name === "AskUserQuestion" ? { answers: { "Which?": "a" } } : {};
    return { behavior: "allow", updatedInput: { ...input, ...answers } };
  };
  const { result, texts } = await run(once(call.tool, call.input), {
    cwd,
    ...call.options,
    ...options,
    ...(withCallback ? { canUseTool } : {}),
  });
  const [text = ""] = texts;
  expect(text).not.toMatch(/^No such tool/);
  if (asked > 0) {
    expect([asked, result.permission_denials]).toEqual([1, []]);
    return "asked";
  }
  if (result.permission_denials.length === 0) return /Plan mode is not on/.test(text) ? "invalid" : "allow";
  return /could be asked/.test(text) ? "nobody" : "deny";
}

/** The cells of one row: with a callback that says yes, and without any; one word where they agree. */
export async function matrixRow(name: string): Promise<string[]> {
  const places = await matrixPlaces();
  const call = matrixCalls(places).get(name);
  if (call === undefined) throw new Error(`The matrix has no call ${name}.`);
  const cells: string[] = [];
  for (const options of MODES.values()) {
    const withCallback = await cell(call, places.cwd, options, true);
    const without = await cell(call, places.cwd, options, false);
    cells.push(withCallback === without ? withCallback : `${withCallback} / ${without}`);
  }
  return cells;
}
