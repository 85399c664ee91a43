import type { JsonObject, PermissionResult } from "@castellan/sdk";
import { isCancel, multiselect, select, text } from "@clack/prompts";
import { oneLine, wrapped } from "./columns.ts";
import { dialogWidth, INTERRUPTED } from "./dialog.ts";
import type { Style } from "./style.ts";

interface Option {
  readonly label: string;
  readonly description?: string;
  readonly preview?: string;
}

interface Question {
  readonly question: string;
  readonly header?: string;
  readonly options: readonly Option[];
  readonly multiSelect?: boolean;
}

/** Where the questions stand. */
export interface QuestionPorts {
  readonly output: NodeJS.WriteStream;
  readonly style: Style;
}

const OTHER = -1;
const NOTHING = -2;

/**
 * Puts the questions of an AskUserQuestion call to the person, one after the other. The answers come back as
 * `updatedInput.answers`; Ctrl-C and Esc end the run, like a no to a call.
 */
export async function askQuestions(
  ports: QuestionPorts,
  input: JsonObject,
  signal: AbortSignal,
): Promise<PermissionResult> {
  const questions = input.questions as unknown as readonly Question[];
  const answers: [string, string][] = [];
  for (const question of questions) {
    const answer = await askOne(ports, question, signal);
    if (answer === "cancelled") return INTERRUPTED;
    if (answer === "declined") {
      return {
        behavior: "deny",
        message: "The user does not want to answer. Go on without, or ask differently.",
      };
    }
    answers.push([question.question, answer.text]);
  }
  return { behavior: "allow", updatedInput: { ...input, answers: Object.fromEntries(answers) } };
}

type Answer = { readonly text: string } | "cancelled" | "declined";

async function askOne(ports: QuestionPorts, question: Question, signal: AbortSignal): Promise<Answer> {
  const { output } = ports;
  const width = dialogWidth(output);
  show(ports, question, width);
  const options = [
    ...question.options.map((option, value) => ({
      value,
      label: oneLine(option.label, width - 6),
    })),
    { value: OTHER, label: "Something else, in my own words" },
  ];
  const common = { message: "Your answer?", output, signal };
  const chosen =
    question.multiSelect === true
      ? await multiselect<number>({ ...common, options, required: true })
      : await select<number>({
          ...common,
          options: [...options, { value: NOTHING, label: "I do not want to answer" }],
        });
  if (isCancel(chosen)) return "cancelled";
  const picked = Array.isArray(chosen) ? chosen : [chosen];
  if (picked.includes(NOTHING)) return "declined";
  const labels = question.options.filter((_, index) => picked.includes(index)).map(({ label }) => label);
  if (!picked.includes(OTHER)) return { text: labels.join(", ") };
  const own = await text({ message: "In your own words:", output, signal, validate: required });
  return isCancel(own) ? "cancelled" : { text: [...labels, own.trim()].join(", ") };
}

function required(value: string | undefined): string | undefined {
  return (value ?? "").trim() === "" ? "Write something, or press Ctrl-C." : undefined;
}

function show({ output, style }: QuestionPorts, question: Question, width: number): void {
  const title = question.header === undefined ? "" : `${style.bold(oneLine(question.header, width))}\n  `;
  output.write(`\n${style.yellow("?")} ${title}${wrapped(question.question, width).join("\n  ")}\n`);
  for (const { label, description, preview } of question.options) {
    const said = description === undefined || description === "" ? "" : `: ${description}`;
    if (said === "" && preview === undefined) continue;
    for (const line of wrapped(`${label}${said}`, width)) output.write(`  ${style.dim(line)}\n`);
    for (const line of wrapped(preview ?? "", width - 2)) if (line !== "") output.write(`    ${line}\n`);
  }
}
