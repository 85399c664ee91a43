import type { Facts } from "../facts.ts";
import { isName, isShellOwn } from "../variables.ts";

const INTEGER = /^(?:0[xX][0-9a-fA-F]+|\d+(?:#[0-9A-Za-z@_]+)?)$/;
const TOKEN = /0[xX][0-9a-fA-F]+|\d+(?:#[0-9A-Za-z@_]+)?|[A-Za-z_]\w*|[-+*/%()<>=!&|^~?:,\s]/y;

/** An integer, or a name that nothing in the line but arithmetic sets. */
export function isPlainOperand(text: string, facts: Facts): boolean {
  if (INTEGER.test(text)) return true;
  return isName(text) && !isShellOwn(text) && !facts.anyName && !facts.names.has(text);
}

/**
 * The shell evaluates text in arithmetic again and again, subscripts included, so a value such as
 * `a[$(cmd)]` runs `cmd`. Only integers and names that cannot hold such text pass.
 */
export function isPlainArithmetic(text: string, facts: Facts): boolean {
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) return false;
    const token = found[0];
    if (/^\w/.test(token) && !isPlainOperand(token, facts)) return false;
  }
  return true;
}

export function isInteger(text: string): boolean {
  return /^[-+]?\d+$/.test(text);
}
