import type { JsonValue } from "@castellan/sdk";

/** The inputs that tell most about a call, in order of preference. */
const TELLING = [
  "command",
  "file_path",
  "pattern",
  "path",
  "url",
  "query",
  "description",
  "summary",
  "prompt",
] as const;

/** What a call is about, in one short text: its command, file or pattern, else its input as JSON. */
export function callText(input: JsonValue): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return JSON.stringify(input);
  const parts: string[] = [];
  for (const key of TELLING) {
    const value = input[key];
    if (typeof value === "string" && value !== "") parts.push(value);
    if (parts.length === 1) break;
  }
  const [first] = parts;
  if (first !== undefined) return first;
  return Object.keys(input).length === 0 ? "" : JSON.stringify(input);
}

/** The lines that show what a call would change: the command, or the edit as removed and added lines. */
export function callPreview(
  tool: string,
  input: Readonly<Record<string, JsonValue>>,
): readonly PreviewLine[] {
  const text = (key: string): string | undefined => {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const plain = (value: string): PreviewLine[] =>
    value.split("\n").map((line) => ({ kind: "plain", text: line }));
  if (tool === "Edit" && text("old_string") !== undefined) {
    return [
      ...plain(text("file_path") ?? ""),
      ...(text("old_string") ?? "").split("\n").map((line): PreviewLine => ({ kind: "removed", text: line })),
      ...(text("new_string") ?? "").split("\n").map((line): PreviewLine => ({ kind: "added", text: line })),
    ];
  }
  if (tool === "Write" && text("content") !== undefined) {
    return [
      ...plain(text("file_path") ?? ""),
      ...(text("content") ?? "").split("\n").map((line): PreviewLine => ({ kind: "added", text: line })),
    ];
  }
  if (text("command") !== undefined) return plain(text("command") ?? "");
  return plain(JSON.stringify(input, null, 2));
}

export interface PreviewLine {
  readonly kind: "plain" | "removed" | "added";
  readonly text: string;
}
