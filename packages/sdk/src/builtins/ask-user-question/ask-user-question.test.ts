import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../protocol/index.ts";
import { askUserQuestionTool } from "./ask-user-question-tool.ts";

const tool = askUserQuestionTool();
const option = (label: string, more: object = {}): object => ({ label, ...more });
const question = (text: string, more: object = {}): object => ({
  question: text,
  options: [option("Yes"), option("No")],
  ...more,
});
const context = {
  cwd: "/",
  sessionId: "s",
  signal: new AbortController().signal,
  services: {},
};

/** What is wrong with an input; undefined when it is valid. */
async function fault(input: unknown): Promise<string | undefined> {
  const parsed = await tool.parseInput(input);
  if (!parsed.ok) return parsed.issues.map(({ path, message }) => `${path}: ${message}`).join("\n");
  const own = await tool.validateInput(parsed.input, context);
  return own.ok ? undefined : own.message;
}

async function answered(answers: unknown, questions: readonly object[] = [question("Ship it?")]) {
  const parsed = await tool.parseInput({ questions, answers });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return tool.call(parsed.input, context as never, () => undefined) as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: JsonObject;
  };
}

const many = (count: number): object[] => Array.from({ length: count }, (_, i) => question(`Number ${i}?`));
const options = (...labels: string[]): object => ({ options: labels.map((label) => option(label)) });

describe("what may be asked", () => {
  it.each([
    ["one question, options without descriptions", { questions: [question("Ship it?")] }],
    ["four questions", { questions: many(4) }],
    ["four options", { questions: [question("Which?", options("a", "b", "c", "d"))] }],
    [
      "everything",
      {
        questions: [
          question("Which?", {
            header: "Choice",
            multiSelect: true,
            options: [
              option("a", { description: "first", preview: "code" }),
              option("b", { description: "" }),
            ],
          }),
        ],
      },
    ],
  ])("%s", async (_name, input) => expect(await fault(input)).toBeUndefined());

  it.each([
    ["nothing", {}, "questions"],
    ["no question", { questions: [] }, "questions"],
    ["five questions", { questions: many(5) }, "questions"],
    ["one option", { questions: [question("Which?", options("a"))] }, "questions.0.options"],
    [
      "five options",
      { questions: [question("W?", options("a", "b", "c", "d", "e"))] },
      "questions.0.options",
    ],
    ["a blank question", { questions: [question(" ")] }, "questions.0.question"],
    ["a blank label", { questions: [question("W?", options("a", " "))] }, "questions.0.options.1.label"],
    ["a misspelt key", { questions: [question("W?", { multiselect: true })] }, "did you mean multiSelect?"],
    ["a question twice", { questions: [question("W?"), question("W? ")] }, "twice"],
    ["an option twice", { questions: [question("W?", options("a", "a"))] }, 'two options "a"'],
    ["answers that are a text", { questions: [question("W?")], answers: "yes" }, "answers"],
    [
      "an answer to another question",
      { questions: [question("Ship it?")], answers: { "Ship it": "Yes" } },
      'did you mean "Ship it?"?',
    ],
    ["an answer that is a number", { questions: [question("W?")], answers: { "W?": 1 } }, "answers.W?"],
  ])("not %s", async (_name, input, words) => expect(await fault(input)).toContain(words));
});

describe("what comes of it", () => {
  it("the answers, by question", async () => {
    const result = await answered({ "Ship it?": "Yes", "Where?": ["a", "b"] }, [
      question("Ship it?"),
      question("Where?", { multiSelect: true, ...options("a", "b", "c") }),
      question("When?"),
    ]);
    expect(result.isError).toBeUndefined();
    expect(result.content[0]?.text).toBe(
      'The user answered:\n- "Ship it?": "Yes"\n- "Where?": "a, b"\n- "When?": (not answered)',
    );
    expect(result.structuredContent?.answers).toEqual({ "Ship it?": "Yes", "Where?": "a, b" });
  });

  it.each([undefined, {}, { "Ship it?": " " }])("an error where nobody answered: %j", async (answers) => {
    const result = await answered(answers);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(/nobody answered it.*updatedInput\.answers/);
  });
});

describe("the model's side", () => {
  it("does not see the key of the answers, and none of its names reaches a prototype", async () => {
    expect(Object.keys(tool.inputSchema.properties as object)).toEqual(["questions"]);
    expect(tool.personKeys).toEqual(["answers"]);
    const text = JSON.parse(
      '{"questions":[{"question":"__proto__","options":[{"label":"a"},{"label":"b"}]}]}',
    );
    const parsed = await tool.parseInput({ ...text, answers: JSON.parse('{"__proto__":"a"}') });
    const result = tool.call((parsed as { input: JsonObject }).input, context as never, () => undefined);
    expect(JSON.stringify(result)).toContain('\\"__proto__\\": \\"a\\"');
  });

  it("reads questions that came as text", async () => {
    const parsed = await tool.parseInput({ questions: JSON.stringify([question("Ship it?")]) });
    expect(parsed).toMatchObject({ ok: true, input: { questions: [{ question: "Ship it?" }] } });
  });

  it("says that a person is needed, that it reads only, and that it runs alone", () => {
    expect([tool.requiresUserInteraction(), tool.isReadOnly({}), tool.isConcurrencySafe({})]).toEqual([
      true,
      true,
      false,
    ]);
    expect([tool.allowedInPlan, tool.allowedByItself, tool.aliases]).toEqual([true, false, ["ask_user"]]);
  });
});
