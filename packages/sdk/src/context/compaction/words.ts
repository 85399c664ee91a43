/** Words that forbid, oblige or set a condition, in some of the languages that people write in. */
const BINDING =
  /\b(?:never|do not|don'?t|must(?: not|n'?t)?|may not|cannot|can'?t|should not|shouldn'?t|only|always|without|unless|until|forbidden|not allowed|prohibited|ask (?:me|us|first|before)|approval|permission|confirm|under no circumstances|except|keep (?:out|away)|stay (?:out|away|in)|avoid|secret|confidential|careful|important|read-only|leave .* alone|nie|niemals|nicht|keine?n?|nur|immer|ohne|verboten|darfst|jamais|ne pas|interdit|sans|toujours|nunca|prohibido|siempre|sin|nao|não|mai|senza|solo)\b|不要|不得|禁止|必须|切勿|别|しない|禁止|必ず|никогда|нельзя|только|не надо/iu;

/** Characters of one message that are kept whole. */
const LONG = 4_000;

/**
 * What people said, as far as there is room: the first message, then all that forbids, obliges or sets a condition, then
 * the newest of the rest. Each is kept word for word; of a long one that does not fit, the lines that bind.
 *
 * @param before what an earlier compaction held on to.
 * @param said what people said since, in order.
 * @param room characters. What binds may take twice as much.
 */
export function keptWords(before: readonly string[], said: readonly string[], room: number): string[] {
  const all = [...new Set([...before, ...said].filter((text) => text.trim() !== ""))];
  const kept = new Map<number, string>();
  let left = room;
  const keep = (at: number, text: string, most: number): void => {
    if (kept.has(at) || text === "" || text.length > most) return;
    kept.set(at, text);
    left -= text.length;
  };
  all.slice(0, 1).forEach((text, at) => {
    keep(at, text.length <= room ? text : shortened(text, room), room);
  });
  for (let at = all.length - 1; at > 0; at -= 1) {
    const text = all[at] as string;
    if (!BINDING.test(text)) continue;
    keep(at, text.length <= LONG ? text : bindingLines(text), left + room);
  }
  for (let at = all.length - 1; at > 0; at -= 1) {
    const text = all[at] as string;
    if (text.length <= LONG) keep(at, text, left);
  }
  return [...kept].sort(([a], [b]) => a - b).map(([, text]) => text);
}

/** The beginning, what binds behind it, and the end. */
function shortened(text: string, room: number): string {
  const head = text.slice(0, room / 4);
  const tail = text.slice(-room / 4);
  const middle = bindingLines(text.slice(head.length, text.length - tail.length)).slice(0, room / 3);
  return [head, middle, tail].filter((part) => part !== "").join("\n[…]\n");
}

function bindingLines(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => (line.length > 1_000 ? line.split(/(?<=[.!?。！？])\s*/u) : [line]))
    .filter((line) => BINDING.test(line))
    .join("\n");
}
