import type { CanUseTool, PermissionResult, PermissionUpdate } from "@castellan/sdk";
import { isCancel, select, text } from "@clack/prompts";
import { callPreview, type PreviewLine } from "./call-text.ts";
import { oneLine, printable, type Style } from "./style.ts";

/** The most lines of a preview that a question shows. */
const PREVIEW_LINES = 16;

export interface AskPorts {
  readonly output: NodeJS.WriteStream;
  readonly style: Style;
  /** Ctrl-C in a question: the run is to stop. */
  onCancel(): void;
}

/** The permission dialog: what the call would do, why it is a question, and what may be answered. */
export function askInTerminal(ports: AskPorts): CanUseTool {
  const { output, style } = ports;
  return async (toolName, input, context): Promise<PermissionResult> => {
    const width = Math.max(40, (output.columns ?? 80) - 4);
    output.write(`\n${style.yellow("?")} ${style.bold(oneLine(context.title || toolName, width))}\n`);
    for (const line of preview(callPreview(toolName, input), width, style)) output.write(`  ${line}\n`);
    output.write(`  ${style.dim(oneLine(context.decisionReason, width))}\n`);
    if (context.destructive) output.write(`  ${style.red("This cannot be undone.")}\n`);

    const remembered = context.destructive ? undefined : rememberText(context.suggestions);
    const answer = await select({
      message: "Let it run?",
      output,
      signal: context.signal,
      initialValue: context.destructive ? "deny" : "once",
      options: [
        { value: "once", label: "Allow once" },
        ...(remembered === undefined
          ? []
          : [{ value: "remember", label: `Allow, and remember for this session: ${remembered}` }]),
        { value: "deny", label: "Deny, with a reason" },
      ],
    });
    if (isCancel(answer)) return cancelled(ports, context.signal);
    if (answer === "once") return { behavior: "allow" };
    if (answer === "remember")
      return { behavior: "allow", updatedPermissions: forSession(context.suggestions) };
    const reason = await text({
      message: "Why not? The model reads this.",
      placeholder: "no reason",
      output,
      signal: context.signal,
    });
    if (isCancel(reason)) return cancelled(ports, context.signal);
    return { behavior: "deny", message: (reason ?? "").trim() === "" ? "The user said no." : reason };
  };
}

function cancelled(ports: AskPorts, signal: AbortSignal): PermissionResult {
  if (!signal.aborted) ports.onCancel();
  return { behavior: "deny", message: "The user interrupted.", interrupt: true };
}

function preview(lines: readonly PreviewLine[], width: number, style: Style): readonly string[] {
  const shown = lines.slice(0, PREVIEW_LINES).map(({ kind, text: line }) => {
    const safe = printable(line).slice(0, width - 2);
    if (kind === "added") return style.green(`+ ${safe}`);
    if (kind === "removed") return style.red(`- ${safe}`);
    return safe;
  });
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, style.dim(`… ${left} more lines`)] : shown;
}

/** The suggestions as the rules that they would add; undefined when there are none. */
export function rememberText(updates: readonly PermissionUpdate[]): string | undefined {
  const parts = updates.map((update) => {
    if (update.type === "setMode") return `mode ${update.mode}`;
    if ("directories" in update) return `directories ${update.directories.join(", ")}`;
    return update.rules
      .map((rule) =>
        rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${rule.ruleContent})`,
      )
      .join(", ");
  });
  return parts.length === 0 ? undefined : oneLine(parts.join("; "), 70);
}

function forSession(updates: readonly PermissionUpdate[]): readonly PermissionUpdate[] {
  return updates.map((update) => ({ ...update, destination: "session" }));
}
