import type { JsonObject } from "@castellan/sdk";
import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";

/**
 * What `--answer` gives, by question: `<question>=<answer>`, where the question is its text, its header or its number, or
 * an answer alone for the first question that has none yet.
 *
 * @throws Fault (usage) for more answers than questions
 */
export function answersOf(input: JsonObject, given: readonly string[]): Record<string, string> {
  const questions = questionsOf(input);
  const answers = new Map<string, string>();
  for (const each of given) {
    const named = namedAnswer(questions, each);
    const question = named?.question ?? questions.find(({ text }) => !answers.has(text))?.text;
    if (question === undefined) {
      throw new Fault(EXIT.usage, `There are ${questions.length} questions, and more answers than that.`);
    }
    answers.set(question, named?.answer ?? each);
  }
  return Object.fromEntries(answers);
}

interface Asked {
  readonly text: string;
  readonly names: readonly string[];
}

function questionsOf({ questions }: JsonObject): readonly Asked[] {
  if (!Array.isArray(questions)) return [];
  return questions.map((each, index) => {
    const { question, header } = (each ?? {}) as { question?: unknown; header?: unknown };
    const text = String(question);
    return { text, names: [text, String(index + 1), ...(typeof header === "string" ? [header] : [])] };
  });
}

function namedAnswer(
  questions: readonly Asked[],
  given: string,
): { readonly question: string; readonly answer: string } | undefined {
  for (const { text, names } of questions) {
    const name = names.find((one) => one !== "" && given.startsWith(`${one}=`));
    if (name !== undefined) return { question: text, answer: given.slice(name.length + 1) };
  }
  return undefined;
}
