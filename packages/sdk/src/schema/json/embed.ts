import { isJsonObject, put } from "../plain.ts";
import { mapSchemas } from "./subschemas.ts";

type Json = { [key: string]: unknown };

/**
 * Makes a whole schema document a part of another one, at the JSON pointer `place` (`#/properties/input`):
 * its definitions move to `defs` of the new root, renamed where a name is taken, and its references follow.
 */
export function embedSchema(schema: Json, place: string, defs: Json): Json {
  const renamed = new Map<string, string>();
  for (const holder of ["$defs", "definitions"]) {
    const own = schema[holder];
    if (!isJsonObject(own)) continue;
    for (const name of Object.keys(own))
      renamed.set(`#/${holder}/${pointerKey(name)}`, freeName(name, renamed, defs));
  }
  const follow = (ref: string): string => {
    if (ref !== "#" && !ref.startsWith("#/")) return ref;
    for (const [from, to] of renamed) {
      if (ref === from || ref.startsWith(`${from}/`))
        return `#/$defs/${pointerKey(to)}${ref.slice(from.length)}`;
    }
    return `${place}${ref.slice(1)}`;
  };
  const moved = mapSchemas(schema, (node) =>
    typeof node.$ref === "string" ? { ...node, $ref: follow(node.$ref) } : node,
  ) as Json;
  for (const holder of ["$defs", "definitions"]) {
    const own = moved[holder];
    if (!isJsonObject(own)) continue;
    for (const [name, inner] of Object.entries(own)) {
      put(defs, renamed.get(`#/${holder}/${pointerKey(name)}`) ?? name, inner);
    }
    delete moved[holder];
  }
  delete moved.$schema;
  delete moved.$id;
  return moved;
}

/** One key as JSON pointers in a fragment write it. */
export function pointerKey(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function freeName(name: string, renamed: ReadonlyMap<string, string>, defs: Json): string {
  const taken = new Set([...renamed.values(), ...Object.keys(defs)]);
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  return free;
}
