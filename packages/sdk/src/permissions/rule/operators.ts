const OPERATORS: ReadonlySet<string> = new Set([";", "|", "&", "<", ">", "\n"]);

/** Whether a text holds a shell operator or redirect outside quotes: then it describes a whole line. */
export function hasOperator(text: string): boolean {
  let quote = "";
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? "";
    if (char === "\\" && quote !== "'") {
      index += 1;
    } else if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === "'" || char === '"') {
      quote = char;
    } else if (OPERATORS.has(char)) {
      return true;
    }
  }
  return false;
}
