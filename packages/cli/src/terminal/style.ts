import pc from "picocolors";

/** Colours of one stream: none where it is no terminal, or NO_COLOR is set. */
export type Style = ReturnType<typeof pc.createColors>;

export function styleOf(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0";
  const plain = (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb";
  return pc.createColors(forced || (stream.isTTY === true && !plain));
}

/** Unicode's control and format characters, without newline and tab: escape sequences, bells, bidi overrides. */
const UNSAFE = /(?![\n\t])[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;

/** Text that a model or tool wrote, safe for a terminal: what could move the cursor or hide text is shown as �. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(UNSAFE, "\u{fffd}");
}

/** One line of at most `width` columns, cut in the middle of nothing: at the end, with an ellipsis. */
export function oneLine(text: string, width: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(1, width - 1))}…`;
}
