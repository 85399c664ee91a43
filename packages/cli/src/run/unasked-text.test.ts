import { describe, expect, it } from "vitest";
import { unaskedText } from "./unasked-text.ts";

describe("unaskedText", () => {
  it.each([
    { tools: ["Bash"], says: [/--allow <rule>/] },
    { tools: ["AskUserQuestion"], says: [/question.*answer it in the prompt/] },
    { tools: ["ExitPlanMode"], says: [/plan.*another mode/] },
    { tools: ["AskUserQuestion", "Write"], says: [/--allow <rule>/, /question/] },
    { tools: [], says: [] },
  ])("says what helps: $tools", ({ tools, says }) => {
    expect(unaskedText(new Set(tools))).toEqual(says.map((text) => expect.stringMatching(text)));
  });
});
