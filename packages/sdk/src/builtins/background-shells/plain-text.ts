// Every alternative ends at the first character that it does not take, so the search is linear.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const SEQUENCES = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g;

/** Output without what only a terminal understands: colours, movements of the cursor, titles. */
export function plainText(text: string): string {
  return text.includes("\u001b") ? text.replace(SEQUENCES, "") : text;
}
