import type { PermissionMode, TodoItem } from "../protocol/index.ts";

/** What is true only at this moment, and so stands behind the last message. */
export interface Moment {
  readonly mode: PermissionMode;
  readonly planMode: "ceiling" | "advisory";
  /** The to-do list. Told as long as something in it is open. */
  readonly todos?: readonly TodoItem[];
  /** Commands that run in the background. */
  readonly tasks?: readonly { readonly id: string; readonly command: string }[];
}

const NONE: readonly string[] = [];
const PLAN =
  "Plan mode is on: only calls that read are let through. Look around, then tell the user your plan. " +
  "Do not try to change anything until the user ends plan mode.";

const MOST = 30;
const WIDE = 200;

/** Texts that go behind the last message, and into no log. */
export function reminders({ mode, planMode, todos = [], tasks = [] }: Moment): readonly string[] {
  const isPlan = mode === "plan" && planMode === "ceiling";
  const open = todos.some(({ status }) => status !== "completed");
  if (!isPlan && !open && tasks.length === 0) return NONE;
  return [
    ...(isPlan ? [PLAN] : []),
    ...(open ? [list("Your to-do list, as it stands:", todos.map(todoLine))] : []),
    ...(tasks.length === 0
      ? []
      : [
          list(
            "Commands that run in the background:",
            tasks.map(({ id, command }) => `${id}: ${short(command)}`),
          ),
        ]),
  ];
}

function todoLine({ status, content }: TodoItem): string {
  return `[${status}] ${short(content)}`;
}

function list(head: string, lines: readonly string[]): string {
  const shown = lines.slice(0, MOST).map((line) => `- ${line}`);
  const more = lines.length > MOST ? [`- and ${lines.length - MOST} more`] : [];
  return [head, ...shown, ...more].join("\n");
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= WIDE ? line : `${line.slice(0, WIDE).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
