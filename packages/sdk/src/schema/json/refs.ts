import { isJsonObject } from "../plain.ts";
import { subschemas } from "./subschemas.ts";

type Json = { [key: string]: unknown };

/** Finds what a `$ref` of the document `root` points at, or undefined when it is not in this document. */
export type RefLookup = (ref: string) => unknown;

/** Builds the look-up of a document. Anchors are collected once, when the first one is asked for. */
export function refLookup(root: Json): RefLookup {
  let anchors: Map<string, Json> | undefined;
  const id = typeof root.$id === "string" ? root.$id.replace(/#$/, "") : undefined;
  return (ref) => {
    const fragment = id !== undefined && ref.startsWith(id) ? ref.slice(id.length) || "#" : ref;
    if (!fragment.startsWith("#")) return undefined;
    if (fragment === "#" || fragment.startsWith("#/")) return followPointer(root, fragment.slice(1));
    anchors ??= collectAnchors(root);
    return anchors.get(fragment.slice(1));
  };
}

function followPointer(root: Json, pointer: string): unknown {
  let node: unknown = root;
  for (const raw of pointer.split("/").slice(1)) {
    const key = decode(raw);
    if (key === undefined || typeof node !== "object" || node === null || !Object.hasOwn(node, key)) {
      return undefined;
    }
    node = (node as Json)[key];
  }
  return isJsonObject(node) || typeof node === "boolean" ? node : undefined;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}

function collectAnchors(root: Json): Map<string, Json> {
  const anchors = new Map<string, Json>();
  const visit = (node: unknown): void => {
    if (!isJsonObject(node)) return;
    if (typeof node.$anchor === "string") anchors.set(node.$anchor, node);
    for (const [, , inner] of subschemas(node)) visit(inner);
  };
  visit(root);
  return anchors;
}
