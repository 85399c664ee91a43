const ADDRESS =
  /^\s*(?:(?:\d+|\$|\/(?:[^/\\\n[]|\\[^\n])*\/I?)(?:\s*,\s*(?:\+?\d+|\$|\/(?:[^/\\\n[]|\\[^\n])*\/I?))?\s*!?\s*)?/;
const SIMPLE = /^(?:[pdqlxhHgGnND=]|[qQ]\s*\d*)\s*(?:;|\n|$)/;
const SUBSTITUTE = /^([sy])([^\w\s\\;{}[])/;

/**
 * A bracket expression that ends at the same place however a sed reads it, so that a delimiter behind it is one:
 * a `]` first, after `[` or `[^`, is a plain one; a backslash neither ends it nor keeps it open.
 */
const BRACKET = /\[\^?\]?(?:[^\][\\\n]|\\[^\][\\\n^]|\[:[a-z]+:\])*\]/y;

/** True for scripts of printing, deleting and substituting only: nothing that reads, writes or runs (`e r w`). */
export function isPlainSedScript(script: string): boolean {
  let rest = script;
  while (/\S/.test(rest)) {
    rest = rest.replace(/^[\s;]+/, "");
    if (rest === "") return true;
    const address = ADDRESS.exec(rest);
    rest = rest.slice(address?.[0].length ?? 0);
    const simple = SIMPLE.exec(rest);
    if (simple !== null) {
      rest = rest.slice(simple[0].length);
      continue;
    }
    const after = afterSubstitute(rest);
    if (after === undefined) return false;
    rest = after;
  }
  return true;
}

function afterSubstitute(text: string): string | undefined {
  const start = SUBSTITUTE.exec(text);
  const delimiter = start?.[2];
  if (start === null || delimiter === undefined) return undefined;
  let at = 2;
  for (let part = 0; part < 2; part += 1) {
    for (; at < text.length && text[at] !== delimiter; at += 1) {
      if (text[at] === "\n") return undefined;
      if (text[at] === "[") {
        BRACKET.lastIndex = at;
        const bracket = BRACKET.exec(text)?.[0];
        if (bracket === undefined || bracket.includes(delimiter)) return undefined;
        at += bracket.length - 1;
      } else if (text[at] === "\\") at += 1;
    }
    if (at >= text.length) return undefined;
    at += 1;
  }
  const flags = start[1] === "s" ? /^[gpiI0-9]*/.exec(text.slice(at)) : /^/.exec(text.slice(at));
  const end = text.slice(at + (flags?.[0].length ?? 0));
  const closed = /^\s*(?:;|\n|$)/.exec(end);
  return closed === null ? undefined : end.slice(closed[0].length);
}
