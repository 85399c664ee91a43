/** How a text of JSON is laid out. */
export interface TextStyle {
  readonly eol: string;
  /** One step of indentation. */
  readonly indent: string;
}

/** The style of a text, by its first line that is indented; two blanks where none is. */
export function styleOf(text: string): TextStyle {
  const eol = /\r?\n/u.exec(text)?.[0] ?? "\n";
  const indent = /(?:^|\n)([ \t]+)(?=["\]}[{/])/u.exec(text)?.[1] ?? "  ";
  return { eol, indent };
}

/** What the line of an offset is indented by. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/u.exec(text.slice(start, offset))?.[0] ?? "";
}

/** A value over several lines, those behind the first indented by `base`. */
export function written(value: unknown, { eol, indent }: TextStyle, base: string): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", eol + base);
}
