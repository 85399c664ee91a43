import type { Word, WordPart } from "unbash";
import { HOME_MARK } from "../characters.ts";
import type { State } from "../state.ts";
import type { Walk } from "../walk-types.ts";
import { expandBraces, unquote } from "./brace.ts";
import {
  type Alternative,
  type Decoded,
  literal,
  onlyWord,
  plainWord,
  unknown,
  type WordItem,
} from "./decoded.ts";
import { isTooDeep } from "./deep-word.ts";
import { addPart } from "./parts.ts";
import { addLiteral, addUnknown, finishStrands, type Strands, startStrands } from "./strand.ts";
import { marksOf, UNPLAIN } from "./word-marks.ts";

const ASSIGNED_TILDE = /^([A-Za-z_]\w*\+?=)(.*)$/s;

/** What a written word may become, once the scripts in it have been walked. */
export function decodeWord(word: Word, walk: Walk, state: State, assigned = false): WordItem {
  const text = word.text;
  if (text !== "" && (marksOf(text) & UNPLAIN) === 0) return plainWord(text);
  if (isTooDeep(text)) {
    walk.block("too-many", text);
    return unknown(text);
  }
  const parts = word.parts;
  if (mayBeBraces(text, parts) && !assigned) return decodeBraces(word, walk, state);
  const raw = withoutContinuations(text, parts);
  const value = parts === undefined ? undefined : quotedValue(parts);
  if (value !== undefined) return literal(raw, value);
  const strands = startStrands(raw);
  if (parts === undefined) {
    if (/[$`]/.test(withoutEscapes(text))) {
      // A lone dollar sign is literal; anything else here is not understood.
      if (/[$`][\w({'"`@*#?!$-]/.test(withoutEscapes(text))) {
        addUnknown(strands, false);
        walk.block("parse", text);
      }
    }
    addTilde(strands, text, word.value, assigned);
  } else {
    parts.forEach((part, index) => {
      if (part.type === "Literal") {
        const leads = index === 0;
        if (leads) addTilde(strands, part.text, part.value, assigned, parts.length > 1);
        else if (assigned && part.text.includes(":~")) addUnknown(strands, true);
        else addLiteral(strands, part.value);
      } else addPart(strands, part, walk, state, false);
    });
  }
  const alternatives = finishStrands(strands);
  if (alternatives.length === 0) return unknown(raw);
  const item: WordItem = { written: [raw], alternatives };
  const only = onlyWord(item);
  return only?.raw === raw ? only : item;
}

/** The value of a word of quotes and plain text, as most quoted words are; undefined where anything else is in it. */
function quotedValue(parts: readonly WordPart[]): string | undefined {
  let value = "";
  for (const part of parts) {
    // A tilde may be a home.
    if (part.type === "Literal" && part.text.includes("~")) return undefined;
    if (part.type === "Literal" || part.type === "SingleQuoted") value += part.value;
    else if (part.type === "DoubleQuoted") {
      for (const inner of part.parts) {
        if (inner.type !== "Literal") return undefined;
        value += inner.value;
      }
    } else return undefined;
  }
  return value;
}

function mayBeBraces(text: string, parts: readonly WordPart[] | undefined): boolean {
  if (!text.includes("{") || !/,|\.\./.test(text)) return false;
  if (parts === undefined) return holdsList(text.replace(/\\./gs, ""));
  for (const part of parts) {
    if (part.type === "BraceExpansion") return true;
  }
  let bare = "";
  for (const part of parts)
    bare += part.type === "Literal" ? part.text.replace(/\\./gs, "") : part.type === "Glob" ? part.text : "";
  return /\{/.test(bare) && /\}/.test(bare);
}

/** A brace, a comma or two dots somewhere behind it, and a closing brace behind that: in one pass each. */
function holdsList(text: string): boolean {
  const open = text.indexOf("{");
  const close = text.lastIndexOf("}");
  if (open < 0 || close < open) return false;
  const inner = text.slice(open + 1, close);
  return inner.includes(",") || inner.includes("..");
}

function decodeBraces(word: Word, walk: Walk, state: State): WordItem {
  const raw = withoutContinuations(word.text, word.parts);
  if (/[$`(<>*?[~]/.test(raw)) {
    const strands = startStrands(raw);
    for (const part of word.parts ?? []) addPart(strands, part, walk, state, false);
    const alternatives: Alternative[] = [[unknown(raw)]];
    const words = /[$`(<>]/.test(raw) ? undefined : expandBraces(raw);
    // Patterns and tildes inside a list are kept as candidates for deny and ask.
    if (words !== undefined) alternatives.push(words.map((each) => patternWord(each)));
    return { written: [raw], alternatives };
  }
  const words = expandBraces(raw);
  if (words === undefined) return unknown(raw);
  return { written: words, alternatives: [words.map((each) => literal(each, unquote(each)))] };
}

function patternWord(raw: string): Decoded {
  const glob = /[*?[]/.test(raw);
  if (!glob) return literal(raw, raw.startsWith("~/") ? HOME_MARK + unquote(raw.slice(1)) : unquote(raw));
  return { raw, value: raw, pieces: raw.split(/[*?]|\[[^\]]*\]/), glob, single: false, plain: false };
}

/** A leading tilde is the home, or somebody's home, unless it is quoted. */
function addTilde(strands: Strands, text: string, value: string, assigned: boolean, more = false): void {
  // In an assignment each part behind a colon may have a tilde of its own.
  if (assigned && text.includes(":~")) {
    addUnknown(strands, true);
    return;
  }
  if (text.startsWith("~")) {
    const slash = value.indexOf("/");
    const prefix = slash < 0 ? value : value.slice(0, slash);
    if (prefix === "~" && (slash >= 0 || !more)) {
      addLiteral(strands, HOME_MARK + value.slice(1));
      return;
    }
    addUnknown(strands, true);
    addLiteral(strands, slash < 0 ? "" : value.slice(slash));
    return;
  }
  const found = !assigned && /[=:]~/.test(text) ? ASSIGNED_TILDE.exec(text) : null;
  if (found !== null) {
    const [, name = "", rest = ""] = found;
    if (/^~(?:\/[^:~\\]*)?$/.test(rest)) addLiteral(strands, name + HOME_MARK + rest.slice(1));
    else addUnknown(strands, true);
    return;
  }
  addLiteral(strands, value);
}

function withoutEscapes(text: string): string {
  return text.includes("\\") ? text.replace(/\\./gs, "") : text;
}

/** Backslash-newline is removed before anything else, outside single quotes. */
function withoutContinuations(text: string, parts: readonly WordPart[] | undefined): string {
  if (!text.includes("\\\n")) return text;
  if (parts === undefined) return text.replace(/\\\n/g, "");
  let out = "";
  for (const part of parts) {
    const keep = part.type === "SingleQuoted" || part.type === "AnsiCQuoted";
    out += keep ? part.text : part.text.replace(/\\\n/g, "");
  }
  return out;
}
