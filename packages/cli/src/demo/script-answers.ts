import { resolve, sep } from "node:path";
import type { CanUseTool } from "@castellan/sdk";
import type { Floor } from "../terminal/floor.ts";

/** Tells, on the screen, how the script answered a question about a tool. */
export type TellAnswer = (tool: string, yes: boolean) => void;

/** Where nobody sits at the terminal, the demo says yes to its scripted model's question. */
export function sayYes(floor: Floor, tell: TellAnswer): CanUseTool {
  return async (tool) => {
    const answer = await floor.ask(async () => ({ behavior: "allow" }) as const);
    tell(tool, true);
    return answer;
  };
}

/** What a real model is allowed where nobody sits at the terminal: one Edit in the project's `src/`. */
export function allowOneEdit(folder: string, floor: Floor, tell: TellAnswer): CanUseTool {
  const source = resolve(folder, "src") + sep;
  let used = false;
  return async (tool, input) => {
    const file = input.file_path;
    const fits = tool === "Edit" && typeof file === "string" && resolve(folder, file).startsWith(source);
    const yes = fits && !used;
    if (yes) used = true;
    await floor.ask(async () => undefined);
    tell(tool, yes);
    if (yes) return { behavior: "allow" };
    const message = `Nobody is here to ask. The demo allows one Edit in src/${fits ? ", and it was made" : ""}.`;
    return { behavior: "deny", message };
  };
}
