import { RE2JS } from "re2js";
import { errorText } from "../../protocol/index.ts";
import { type Translation, translatePattern } from "./pattern-translate.ts";

/** A compiled pattern, or why it cannot be one. */
export type CompiledPattern =
  | { readonly ok: true; test(text: string): boolean }
  | { readonly ok: false; readonly message: string; readonly fix: string };

/**
 * Compiles a pattern of a JSON Schema (ECMAScript, Unicode mode, found anywhere in the text) for an engine
 * that needs time linear in the text. What such an engine cannot do is refused, never approximated.
 */
export function compilePattern(source: string): CompiledPattern {
  try {
    // Only compiled, to learn whether it is well formed; the native engine never runs it.
    new RegExp(source, "u");
  } catch {
    return {
      ok: false,
      message: `the pattern ${JSON.stringify(source)} is not a regular expression in Unicode mode.`,
      fix: "Write it as JavaScript reads it with the flag u.",
    };
  }
  const translation: Translation = translatePattern(source);
  if (!translation.ok) {
    return {
      ok: false,
      message: `the pattern ${JSON.stringify(source)} uses ${translation.feature}, which no linear-time engine can run.`,
      fix: "Say it without, or check it in the handler.",
    };
  }
  try {
    const compiled = RE2JS.compile(translation.pattern);
    return { ok: true, test: (text) => compiled.test(text) };
  } catch (error) {
    const detail = errorText(error);
    return {
      ok: false,
      message: `the pattern ${JSON.stringify(source)} cannot be run by the linear-time engine (${detail}).`,
      fix: "Make it simpler (counts go up to 1000; minLength and maxLength have no such limit).",
    };
  }
}
