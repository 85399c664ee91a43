import type { InputIssue, JsonObject, JsonValue, ParsedInput } from "../../protocol/index.ts";
import { nearestName } from "../../tools/index.ts";
import { questionsOf } from "./questions.ts";

type Parse = (value: unknown) => ParsedInput | Promise<ParsedInput>;

/**
 * The parser of the model's part of the input, and beside it `answers`, which a person's side adds: an object from
 * the text of a question to a text, or to a list of labels. The model's schema does not show this key.
 */
export function parseWithAnswers(parse: Parse): Parse {
  return async (value) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, "answers")) return parse(value);
    const { answers, ...rest } = value as { readonly [key: string]: unknown };
    const parsed = await parse(rest);
    if (!parsed.ok || answers === undefined) return parsed;
    const read = readAnswers(answers, parsed.input);
    return "issues" in read
      ? { ok: false, issues: read.issues }
      : { ok: true, input: { ...parsed.input, answers: read.answers } };
  };
}

function readAnswers(
  given: unknown,
  input: JsonObject,
): { readonly answers: JsonObject } | { readonly issues: readonly InputIssue[] } {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const message = "must be an object from the text of each question to its answer";
    return { issues: [{ path: "answers", message, expected: "object" }] };
  }
  const asked = questionsOf(input).map(({ question }) => question);
  const issues: InputIssue[] = [];
  const answers: [string, JsonValue][] = [];
  for (const [question, answer] of Object.entries(given)) {
    const path = `answers.${question}`;
    if (!asked.includes(question)) {
      const near = nearestName(question, asked);
      const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
      issues.push({ path, message: `answers no question of this call${hint}` });
    } else if (typeof answer === "string") answers.push([question, answer]);
    else if (isLabels(answer)) answers.push([question, answer.join(", ")]);
    else issues.push({ path, message: "must be a text, or a list of labels", expected: "string" });
  }
  return issues.length > 0 ? { issues } : { answers: Object.fromEntries(answers) };
}

function isLabels(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((label) => typeof label === "string");
}
