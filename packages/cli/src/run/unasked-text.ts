/** Tools whose question only a person can answer: no rule and no mode does it instead. */
const NEEDS_PERSON: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"]);

/** What can be done about calls of these tools, which were denied because nobody could be asked. */
export function unaskedText(tools: ReadonlySet<string>): readonly string[] {
  const names = [...tools];
  const lines: string[] = [];
  if (names.some((name) => !NEEDS_PERSON.has(name))) {
    lines.push(
      "A call was denied because nobody could be asked. Allow it with --allow <rule>, or use a terminal.",
    );
  }
  if (tools.has("AskUserQuestion")) {
    lines.push(
      "The model had a question, and nobody was there to answer. Use a terminal, or answer it in the prompt.",
    );
  }
  if (tools.has("ExitPlanMode")) {
    lines.push("The model had a plan, and nobody was there to approve it. Use a terminal, or another mode.");
  }
  return lines;
}
