const ADDRESS =
  /^\s*(?:(?:\d+|\$|\/(?:[^/\\\n[]|\\[^\n])*\/I?)(?:\s*,\s*(?:\+?\d+|\$|\/(?:[^/\\\n[]|\\[^\n])*\/I?))?\s*!?\s*)?/;
const SIMPLE = /^(?:[pdqlxhHgGnND=]|[qQ]\s*\d*)\s*(?:;|\n|$)/;
const SUBSTITUTE = /^([sy])([^\w\s\\;{}[])/;

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
      // Inside brackets a delimiter may stand for itself: not told apart here.
      if (
        text[at] === "[" &&
        text.indexOf("]", at) > 0 &&
        text.slice(at, text.indexOf("]", at + 2)).includes(delimiter)
      )
        return undefined;
      if (text[at] === "\\") at += 1;
    }
    if (at >= text.length) return undefined;
    at += 1;
  }
  const flags = start[1] === "s" ? /^[gpiI0-9]*/.exec(text.slice(at)) : /^/.exec(text.slice(at));
  const end = text.slice(at + (flags?.[0].length ?? 0));
  const closed = /^\s*(?:;|\n|$)/.exec(end);
  return closed === null ? undefined : end.slice(closed[0].length);
}
