import { isJsonObject } from "../plain.ts";
import type { RefLookup } from "./refs.ts";
import { subschemas } from "./subschemas.ts";

type Json = { [key: string]: unknown };

// Keywords that judge the same value again, so that a circle of them would never end.
const IN_PLACE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]);

/** The place of a `$ref` that leads back to itself without going deeper into the value, or undefined. */
export function endlessRef(root: Json, lookup: RefLookup): string | undefined {
  const done = new Set<unknown>();
  const open = new Set<unknown>();
  const inPlace = (node: unknown, place: string): string | undefined => {
    if (!isJsonObject(node) || done.has(node)) return undefined;
    if (open.has(node)) return place;
    open.add(node);
    let found: string | undefined;
    if (typeof node.$ref === "string") found = inPlace(lookup(node.$ref), `${place}$ref`);
    for (const [keyword, where, inner] of subschemas(node)) {
      if (found !== undefined) break;
      if (IN_PLACE.has(keyword)) found = inPlace(inner, `${place}${where}.`);
    }
    open.delete(node);
    done.add(node);
    return found;
  };
  const everywhere = (node: unknown, place: string): string | undefined => {
    if (!isJsonObject(node)) return undefined;
    const found = inPlace(node, place);
    if (found !== undefined) return found;
    for (const [, where, inner] of subschemas(node)) {
      const deeper = everywhere(inner, `${place}${where}.`);
      if (deeper !== undefined) return deeper;
    }
    return undefined;
  };
  return everywhere(root, "");
}
