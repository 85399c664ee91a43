import { editDistance } from "../../protocol/index.ts";
import { isJsonObject } from "../plain.ts";
import { ANNOTATIONS, KEYWORDS, type KeywordKind } from "./keywords.ts";
import { endlessRef } from "./loops.ts";
import { compilePattern } from "./pattern.ts";
import { refLookup } from "./refs.ts";
import { subschemas } from "./subschemas.ts";
import { valueFault } from "./value-faults.ts";

type Json = { [key: string]: unknown };

/** What is wrong with a JSON Schema, where (dotted, from its root), and how to mend it. */
export interface SchemaFault {
  readonly place: string;
  readonly message: string;
  readonly fix: string;
}

/** The first thing that is malformed in a JSON Schema, or undefined. The schema is plain data. */
export function checkJsonSchema(root: Json): SchemaFault | undefined {
  const lookup = refLookup(root);
  const visit = (schema: unknown, place: string): SchemaFault | undefined => {
    if (typeof schema === "boolean") return undefined;
    if (!isJsonObject(schema)) {
      return { place, message: "a schema is an object, true or false.", fix: "Put a schema here." };
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const at = place === "" ? keyword : `${place}.${keyword}`;
      const fault = checkKeyword(keyword, value, at, place === "");
      if (fault !== undefined) return fault;
      if (keyword === "$ref" && lookup(String(value)) === undefined) {
        return {
          place: at,
          message: `${JSON.stringify(value)} points at nothing in this schema.`,
          fix: 'Point at a definition in it, such as "#/$defs/name"; other documents are not loaded.',
        };
      }
    }
    for (const [, where, inner] of subschemas(schema)) {
      const fault = visit(inner, place === "" ? where : `${place}.${where}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const fault = visit(root, "");
  if (fault !== undefined) return fault;
  const loop = endlessRef(root, lookup);
  if (loop === undefined) return undefined;
  return {
    place: loop,
    message: "the $ref leads back to itself without going deeper into the value.",
    fix: "Put the reference under properties or items.",
  };
}

function checkKeyword(keyword: string, value: unknown, at: string, isRoot: boolean): SchemaFault | undefined {
  const kind = KEYWORDS.get(keyword);
  if (kind === undefined) return misspelt(keyword, at);
  if (kind === "unsupported" || (kind === "rootOnly" && !isRoot)) {
    return {
      place: at,
      message:
        kind === "rootOnly" ? `${keyword} below the root is not read.` : `${keyword} is not supported.`,
      fix: "Use $defs and $ref with a JSON pointer instead.",
    };
  }
  if (kind === "pattern" || kind === "patternMap") return checkPatterns(kind, value, at);
  const fault = valueFault(kind, value);
  return fault === undefined ? undefined : { place: at, message: fault.message, fix: fault.fix };
}

function checkPatterns(kind: KeywordKind, value: unknown, at: string): SchemaFault | undefined {
  const shape = valueFault(kind === "pattern" ? "string" : "schemaMap", value);
  if (shape !== undefined) return { place: at, ...shape };
  const sources = kind === "pattern" ? [value as string] : Object.keys(value as Json);
  for (const source of sources) {
    const compiled = compilePattern(source);
    if (!compiled.ok) return { place: at, message: compiled.message, fix: compiled.fix };
  }
  return undefined;
}

// A word that nobody knows is a note and harmless, unless it was meant to be a keyword and so enforces nothing.
function misspelt(keyword: string, at: string): SchemaFault | undefined {
  if (keyword.length < 5 || keyword.startsWith("x-") || ANNOTATIONS.has(keyword)) return undefined;
  for (const known of KEYWORDS.keys()) {
    const distance = editDistance(keyword.toLowerCase(), known.toLowerCase());
    if (distance > (known.length > 7 ? 2 : 1)) continue;
    return {
      place: at,
      message: `the keyword ${keyword} is unknown and would check nothing.`,
      fix: `Did you mean ${known}?`,
    };
  }
  return undefined;
}
