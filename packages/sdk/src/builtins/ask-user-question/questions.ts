import type { JsonObject } from "../../protocol/index.ts";

/** One thing that may be chosen. */
export interface Option {
  readonly label: string;
  readonly description?: string;
  readonly preview?: string;
}

/** One question to the user. */
export interface Question {
  readonly question: string;
  readonly header?: string;
  readonly options: readonly Option[];
  readonly multiSelect?: boolean;
}

/** The questions of a validated input. */
export function questionsOf(input: JsonObject): readonly Question[] {
  return Array.isArray(input.questions) ? (input.questions as unknown as readonly Question[]) : [];
}

/** The answers of a validated input: the text of each question that was answered. */
export function answersOf(input: JsonObject): ReadonlyMap<string, string> {
  const { answers } = input;
  if (typeof answers !== "object" || answers === null || Array.isArray(answers)) return new Map();
  const given = Object.entries(answers).filter((entry): entry is [string, string] => {
    const [, answer] = entry;
    return typeof answer === "string" && answer.trim() !== "";
  });
  return new Map(given);
}

/** Two questions, or two options of one question, that nobody could tell apart. */
export function twinsIn(questions: readonly Question[]): string | undefined {
  const twin = firstTwin(questions.map(({ question }) => question));
  if (twin !== undefined) {
    return `the question ${JSON.stringify(twin)} stands there twice; answers are kept by a question's text.`;
  }
  for (const { question, options } of questions) {
    const label = firstTwin(options.map((option) => option.label));
    if (label !== undefined) return `${JSON.stringify(question)} has two options ${JSON.stringify(label)}.`;
  }
  return undefined;
}

function firstTwin(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const text of texts) {
    const plain = text.trim();
    if (seen.has(plain)) return text;
    seen.add(plain);
  }
  return undefined;
}
