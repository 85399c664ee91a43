import { describe, expect, it } from "vitest";
import { callPreview } from "./call-preview.ts";
import { callText } from "./call-text.ts";

const shown = (tool: string, input: Parameters<typeof callPreview>[1]): readonly string[] =>
  callPreview(tool, input).map(
    ({ kind, text }) => `${{ plain: " ", added: "+", removed: "-" }[kind]}${text}`,
  );

describe("callPreview", () => {
  it("shows a command whole", () => {
    expect(shown("Bash", { command: "a\nb", description: "harmless" })).toEqual([" a", " b"]);
  });

  it("shows what an edit changes between what stays", () => {
    const input = { file_path: "f", old_string: "a\nb\nc", new_string: "a\nX\nY\nc", replace_all: true };
    expect(shown("Edit", input)).toEqual([" f (every place)", " a", "-b", "+X", "+Y", " c"]);
    const same = { file_path: "f", old_string: "a\na", new_string: "a\na\na" };
    expect(shown("Edit", same)).toEqual([" f", " a", " a", "+a"]);
    const none = { file_path: "f", old_string: "a", new_string: "" };
    expect(shown("Edit", none)).toEqual([" f", "-a", "+"]);
  });

  it("shows all of a new file", () => {
    expect(shown("Write", { file_path: "f", content: "a\nb" })).toEqual([" f", "+a", "+b"]);
  });

  it("shows every other input whole, whatever its keys", () => {
    const input = { command: "x", hidden: ["y"] };
    expect(shown("log_fix", input).join("\n")).toContain('"hidden"');
    expect(shown("Edit", { file_path: "f" })).toEqual([" {", '   "file_path": "f"', " }"]);
    expect(shown("Bash", JSON.parse('{"__proto__":{"command":"x"}}')).join("")).toContain("__proto__");
  });
});

describe("callText", () => {
  it.each([
    [{ description: "d", command: "c" }, "c"],
    [{ file_path: "f", pattern: "p" }, "f"],
    [{ other: 1 }, '{"other":1}'],
    [{ command: 1 }, '{"command":1}'],
    [{}, ""],
    [null, "null"],
    [["a"], '["a"]'],
  ])("%j is about %s", (input, text) => {
    expect(callText(input)).toBe(text);
  });
});
