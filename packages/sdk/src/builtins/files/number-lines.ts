/** The lines of a text, without their endings. A final line ending makes no further line. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** One line as `cat -n` prints it. */
export function numberLine(number: number, line: string): string {
  return `${String(number).padStart(6)}\t${line}`;
}
