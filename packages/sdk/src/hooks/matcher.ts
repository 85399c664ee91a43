import { RE2JS } from "re2js";
import { errorText } from "../protocol/index.ts";

/** The tool that a matcher is tried on. */
export interface HookSubject {
  /** The name that the model sees. */
  readonly name: string;
  /** Other names that mean the same tool. */
  readonly aliases: readonly string[];
  /** The key of the MCP server that it comes from. */
  readonly server?: string;
}

export type Matcher = (subject: HookSubject) => boolean;

export type CompiledMatcher =
  | { readonly ok: true; readonly matches: Matcher }
  | { readonly ok: false; readonly problem: string };

const EVERYTHING: CompiledMatcher = { ok: true, matches: () => true };
// Blanks can stand in no tool's name: `Edit, Write` can only be meant as a list.
const LIST = /^[A-Za-z0-9_|,\s]+$/;

/** Compiles a matcher: everything, a list of names, or a linear-time pattern searched in the whole name. */
export function compileMatcher(text: string | undefined): CompiledMatcher {
  if (text === undefined || text === "" || text === "*") return EVERYTHING;
  return LIST.test(text) ? compileList(text) : compilePattern(text);
}

/** Why a matcher cannot be used; undefined for one that can. */
export function matcherFault(text: string): string | undefined {
  const compiled = compileMatcher(text);
  return compiled.ok ? undefined : compiled.problem;
}

function compileList(text: string): CompiledMatcher {
  const names = text.split(/[|,]/).map((name) => name.trim());
  if (names.some((name) => name === "")) return { ok: false, problem: "it holds an empty name" };
  if (names.some((name) => /\s/.test(name))) {
    return { ok: false, problem: "names in a list are parted by | or a comma" };
  }
  const wanted = new Set(names);
  return {
    ok: true,
    matches: (subject) =>
      wanted.has(subject.name) ||
      subject.aliases.some((alias) => wanted.has(alias)) ||
      names.some((name) => isServerOf(name, subject)),
  };
}

/** `mcp__srv` names every tool of that server. */
function isServerOf(name: string, subject: HookSubject): boolean {
  if (!name.startsWith("mcp__")) return false;
  return name === `mcp__${subject.server}` || subject.name.startsWith(`${name}__`);
}

function compilePattern(text: string): CompiledMatcher {
  try {
    const pattern = RE2JS.compile(text);
    return { ok: true, matches: (subject) => pattern.matcher(subject.name).find() };
  } catch (error) {
    const why = errorText(error);
    return { ok: false, problem: `it is no pattern of the linear-time kind (${why})` };
  }
}
