import type { JsonObject } from "@castellan/sdk";

/** A line of what a call would do: as it stands, taken away or put in. */
export interface PreviewLine {
  readonly kind: "plain" | "removed" | "added";
  readonly text: string;
}

/** What a call would do: the command, the edit or new file as changed lines, else its whole input as JSON. */
export function callPreview(tool: string, input: JsonObject): readonly PreviewLine[] {
  const fields = new Map(Object.entries(input));
  const text = (key: string): string | undefined => {
    const value = fields.get(key);
    return typeof value === "string" ? value : undefined;
  };
  const path = text("file_path");
  const before = text("old_string");
  const after = text("new_string");
  const content = text("content");
  const command = text("command");
  if (tool === "Edit" && path !== undefined && before !== undefined && after !== undefined) {
    const everywhere = fields.get("replace_all") === true ? " (every place)" : "";
    return [...lines("plain", `${path}${everywhere}`), ...changed(before.split("\n"), after.split("\n"))];
  }
  if (tool === "Write" && path !== undefined && content !== undefined)
    return [...lines("plain", path), ...lines("added", content)];
  if (tool === "Bash" && command !== undefined) return lines("plain", command);
  return lines("plain", JSON.stringify(input, null, 2));
}

/** The lines that differ, between those that both texts begin and end with. */
function changed(before: readonly string[], after: readonly string[]): PreviewLine[] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const part = (kind: PreviewLine["kind"], from: readonly string[], first: number, last: number) =>
    from.slice(first, last).map((text): PreviewLine => ({ kind, text }));
  return [
    ...part("plain", before, 0, start),
    ...part("removed", before, start, before.length - end),
    ...part("added", after, start, after.length - end),
    ...part("plain", before, before.length - end, before.length),
  ];
}

function lines(kind: PreviewLine["kind"], text: string): PreviewLine[] {
  return text.split("\n").map((line) => ({ kind, text: line }));
}
