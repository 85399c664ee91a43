import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import type { TouchedPath } from "./judgement.ts";

/** The file behind an `@` or `<` in a value of `curl`. */
export function takeAtFile(name: string, value: Decoded, paths: TouchedPath[]): void {
  const text = known(value);
  if (text === undefined) {
    const start = startOf(value);
    if (start === "" || /[@<]/.test(start) || mayGoOn(name, start))
      paths.push({ access: "read", word: unknown(value.raw) });
    return;
  }
  if (name === "-b" || name === "--cookie") {
    if (!text.includes("=")) paths.push({ access: "read", word: literal(value.raw, text) });
    return;
  }
  const output = /%output\{(?:>>)?([^}]*)\}/.exec(text)?.[1];
  if (output !== undefined) paths.push({ access: "write", word: literal(value.raw, output) });
  for (const found of text.matchAll(/(?:^|=|;)[@<]?"?[@<]"?([^;,"]+)|^[\w.-]*@(.+)$/g)) {
    const path = found[1] ?? found[2];
    if (path === undefined || path === "-") continue;
    paths.push({ access: "read", word: literal(value.raw, path) });
  }
  // `f=@a,b` sends both.
  const start = text.search(/=[@<]/);
  const list = start >= 0 && text.lastIndexOf(",") > start ? text.slice(start + 2).split(",") : [];
  for (const each of list) {
    const path = each.replace(/;.*$/s, "").replace(/^"|"$/g, "");
    if (path !== "") paths.push({ access: "read", word: literal(value.raw, path) });
  }
}

/** With these only what the value starts with makes it a file. */
const BY_START = /^(?:-d|--data(?:-ascii|-binary|-raw)?|--json|-H|--header|--proxy-header)$/;

/** The rest of the value may be `=@file`, `@file`, or make it a file's name. */
function mayGoOn(name: string, start: string): boolean {
  return !BY_START.test(name) && (!start.includes("=") || start.endsWith("="));
}
