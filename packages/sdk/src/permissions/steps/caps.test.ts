import { describe, expect, it } from "vitest";
import { analyse } from "../../shell/index.ts";
import { answer, bashCall } from "../test-kit.ts";

const BYPASS = { mode: "bypassPermissions", isBypassAvailable: true } as const;

function nested(levels: number): string {
  let line = "a";
  for (let level = 0; level < levels; level += 1) line = `bash -c ${JSON.stringify(line)}`;
  return line;
}

const many = (text: string, count: number): string => text.repeat(count);

// Over each cap, and the same below it.
const CAPS: readonly (readonly [what: string, line: string, below: string])[] = [
  ["bytes", `a ${many("x", 33_000)}`, `a ${many("x", 30_000)}`],
  ["commands", many("a;", 600), many("a;", 400)],
  ["words", `a ${many("x ", 1_100)}`, `a ${many("x ", 900)}`],
  ["assignments", `${many("A=1 ", 1_100)}a`, `${many("A=1 ", 900)}a`],
  ["elements of an array", `a=(${many("x ", 1_100)})`, `a=(${many("x ", 900)})`],
  ["files", many("> a ", 1_100), many("> a ", 900)],
  ["groups in groups", `${many("( ", 60)}a${many(")", 60)}`, `${many("( ", 20)}a${many(")", 20)}`],
  ["lines in lines", nested(8), nested(3)],
  ["wrappers", `${many("nice ", 14)}a`, `${many("nice ", 6)}a`],
  ["here-documents", `a ${many("<<<b ", 300)}`, `a ${many("<<<b ", 100)}`],
  ["substitutions", `a ${many("$(b) ", 1_100)}`, `a ${many("$(b) ", 100)}`],
];

describe.each(CAPS)("a line with too many %s", (_, line, below) => {
  it("is asked about in every mode, whatever rules allow; below the cap it is not", () => {
    expect(answer(bashCall(line), {}, BYPASS)).toBe("ask");
    expect(answer(bashCall(line), { allow: ["Bash", "Edit"] })).toBe("ask");
    expect(answer(bashCall(below), {}, BYPASS)).toBe("allow");
  });
});

it("is asked about when other reasons came first", () => {
  const others = Array.from({ length: 40 }, (_, index) => `$x${index} b;`).join("");
  expect(analyse(others).opaque.length).toBeGreaterThan(30);
  expect(answer(bashCall(others), {}, BYPASS)).toBe("allow");
  expect(answer(bashCall(`${others}${many("a;", 600)}`), {}, BYPASS)).toBe("ask");
});
