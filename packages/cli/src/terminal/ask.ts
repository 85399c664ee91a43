import type { CanUseTool, CanUseToolContext, JsonObject, PermissionResult } from "@castellan/sdk";
import { isCancel, select, text } from "@clack/prompts";
import { askQuestions } from "./ask-questions.ts";
import { callPreview, type PreviewLine } from "./call-preview.ts";
import { oneLine, wrapped } from "./columns.ts";
import { dialogWidth, INTERRUPTED } from "./dialog.ts";
import type { Floor } from "./floor.ts";
import { rememberText } from "./rule-text.ts";
import type { Style } from "./style.ts";

/** The most lines of a call that a question shows at first. */
const PREVIEW_LINES = 20;

/** Where questions are asked. */
export interface AskPorts {
  readonly output: NodeJS.WriteStream;
  readonly style: Style;
  readonly floor: Floor;
}

/**
 * The permission dialog: what the call would do, why it is a question, what may be answered.
 * Ctrl-C and Esc answer no and end the run.
 */
export function askInTerminal(ports: AskPorts): CanUseTool {
  return (tool, input, context) =>
    ports.floor.ask(() =>
      tool === "AskUserQuestion"
        ? askQuestions(ports, input, context.signal)
        : question(ports, tool, input, context),
    );
}

async function question(
  { output, style }: AskPorts,
  tool: string,
  input: JsonObject,
  context: CanUseToolContext,
): Promise<PermissionResult> {
  const width = dialogWidth(output);
  const say = (lines: readonly string[]): void => {
    for (const line of lines) output.write(`  ${line}\n`);
  };
  const preview = callPreview(tool, input).flatMap((line) => previewLines(line, width, style));
  const title = style.bold(`Allow ${oneLine(tool, width - 8)}?`);
  output.write(
    `\n${style.yellow("?")} ${title}${context.destructive ? style.red(" It cannot be undone.") : ""}\n`,
  );
  say(preview.slice(0, PREVIEW_LINES));
  let hidden = preview.length - PREVIEW_LINES;
  if (hidden > 0) say([style.yellow(`… ${hidden} more lines are part of this call`)]);
  if (context.openWorld) say([style.yellow("It reaches outside this machine.")]);
  // Title and preview say which call it is.
  const why = context.decisionReason.replace(/^\S+ needs an approval: /, "");
  say(wrapped(why, width).map(style.dim));

  for (;;) {
    const answer = await select({
      message: "Let it run?",
      output,
      signal: context.signal,
      initialValue: context.destructive ? "deny" : "once",
      options: choices(context, hidden, width),
    });
    if (isCancel(answer)) return INTERRUPTED;
    if (answer === "once") return { behavior: "allow" };
    if (answer === "remember") {
      const forSession = context.suggestions.map((each) => ({ ...each, destination: "session" as const }));
      return { behavior: "allow", updatedPermissions: forSession };
    }
    if (answer === "project") {
      const inFile = context.suggestions.map((each) => ({ ...each, destination: "localSettings" as const }));
      return { behavior: "allow", updatedPermissions: inFile };
    }
    if (answer === "deny") break;
    say(preview);
    hidden = 0;
  }
  const reason = await text({
    message: "Why not? The model reads this.",
    placeholder: "Enter: no reason",
    output,
    signal: context.signal,
  });
  if (isCancel(reason)) return INTERRUPTED;
  const given = (reason ?? "").trim();
  return { behavior: "deny", message: given === "" ? "The user said no." : given };
}

function choices(
  context: CanUseToolContext,
  hidden: number,
  width: number,
): { value: string; label: string }[] {
  // What cannot be undone is asked each time.
  const rule = context.destructive ? undefined : rememberText(context.suggestions);
  const remember = (scope: string): string =>
    wrapped(`Allow, and remember ${scope}: ${rule}`, width - 6).join("\n  ");
  return [
    { value: "once", label: "Allow once" },
    // A rule is shown whole or not offered: nobody can agree to what is cut off.
    ...(rule === undefined
      ? []
      : [
          { value: "remember", label: remember("for this session") },
          { value: "project", label: remember("for this project") },
        ]),
    { value: "deny", label: "Deny, with a reason" },
    ...(hidden > 0 ? [{ value: "all", label: `Show the ${hidden} lines that are left out` }] : []),
  ];
}

function previewLines({ kind, text: line }: PreviewLine, width: number, style: Style): readonly string[] {
  const mark = { plain: "", added: "+ ", removed: "- " }[kind];
  const colour = { plain: String, added: style.green, removed: style.red }[kind];
  return wrapped(line, width - mark.length).map((part) => colour(`${mark}${part}`));
}
