import type { JsonObject, JsonSchema, ToolDefinition, ToolResult } from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { failure, textResult } from "../results.ts";
import { parseWithAnswers } from "./parse-answers.ts";
import { ASK_USER_QUESTION_PROMPT } from "./prompt.ts";
import { answersOf, type Question, questionsOf, twinsIn } from "./questions.ts";

const text = (description: string, maxLength: number): object => ({
  type: "string",
  minLength: 1,
  maxLength,
  pattern: "\\S",
  description,
});

const OPTION: object = {
  type: "object",
  properties: {
    label: text("What is chosen, in a few words.", 200),
    description: { type: "string", maxLength: 2000, description: "What it means, or what it costs." },
    preview: { type: "string", maxLength: 20_000, description: "Code or a layout to look at." },
  },
  required: ["label"],
  additionalProperties: false,
};

const QUESTION: object = {
  type: "object",
  properties: {
    question: text("The whole question.", 2000),
    header: { type: "string", maxLength: 100, description: "A short title." },
    options: { type: "array", minItems: 2, maxItems: 4, items: OPTION },
    multiSelect: { type: "boolean", description: "Several options may be chosen. Default false." },
  },
  required: ["question", "options"],
  additionalProperties: false,
};

const INPUT: JsonSchema = {
  type: "object",
  properties: { questions: { type: "array", minItems: 1, maxItems: 4, items: QUESTION } },
  required: ["questions"],
  additionalProperties: false,
};

/**
 * AskUserQuestion: questions to the person. Whoever answers the permission question answers them: `canUseTool`
 * allows with `updatedInput.answers`. No mode, rule or hook lets it run without a person, and what the model itself
 * writes under `answers` is taken out.
 */
export function askUserQuestionTool(): ToolDefinition {
  const definition = buildTool({
    name: "AskUserQuestion",
    source: "builtin",
    title: "Ask the user",
    searchHint: "ask question user choice clarify decide",
    description: "Asks the user questions with options.",
    prompt: () => ASK_USER_QUESTION_PROMPT,
    inputSchema: INPUT,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    personKeys: ["answers"],
    validateInput: (input) => {
      const twins = twinsIn(questionsOf(input));
      return twins === undefined ? { ok: true } : { ok: false, message: twins };
    },
    requiresUserInteraction: () => true,
    isConcurrencySafe: () => false,
    targets: () => [],
    riskLevel: () => "low",
    allowedInPlan: true,
    userFacingName: () => "AskUserQuestion",
    describe: (input) =>
      questionsOf(input)
        .map(({ question }) => question)
        .join(" "),
    summary: (input) => questionsOf(input)[0]?.question ?? "",
    activity: () => "Waiting for an answer",
    call: answer,
  });
  return Object.freeze({ ...definition, parseInput: parseWithAnswers(definition.parseInput) });
}

const UNANSWERED =
  "The question was let through, but nobody answered it: an answer comes from the user, as updatedInput.answers. " +
  "Do not take it for a yes. Go on with what you know, or say what you need to know.";

function answer(input: JsonObject): ToolResult {
  const questions = questionsOf(input);
  const answers = answersOf(input);
  if (answers.size === 0) return failure(UNANSWERED);
  const lines = questions.map(({ question }) => {
    const given = answers.get(question);
    return `- ${JSON.stringify(question)}: ${given === undefined ? "(not answered)" : JSON.stringify(given)}`;
  });
  return textResult(["The user answered:", ...lines].join("\n"), {
    structuredContent: { questions: questions.map(plain), answers: Object.fromEntries(answers) },
  });
}

function plain(question: Question): Question {
  return { ...question, options: question.options.map((option) => ({ ...option })) };
}
