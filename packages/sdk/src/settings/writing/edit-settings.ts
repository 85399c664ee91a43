import { findNodeAtLocation, type Node } from "jsonc-parser";
import { formatRule, parseRule } from "../../permissions/index.ts";
import type { PermissionUpdate, RuleBehavior } from "../../protocol/index.ts";
import { treeOf } from "../tree-of.ts";
import { nodesOf, rulesIn } from "./edit-rules.ts";
import { insertInto } from "./insert-into.ts";
import { removeItem, removeRule } from "./remove-rule.ts";
import { indentAt, styleOf, written } from "./text-style.ts";

/** The text of a settings file after a change, or why it cannot be changed. */
export type EditedText = { readonly text: string } | { readonly problem: string };

/**
 * Makes one update of permissions in the text of a settings file. Comments, formatting and unknown keys stay; nothing
 * is written twice.
 */
export function editSettings(text: string, update: PermissionUpdate): EditedText {
  switch (update.type) {
    case "addRules":
      return addRules(text, update.behavior, textsOf(update));
    case "removeRules":
      return { text: dropRules(text, update.behavior, (rule) => textsOf(update).includes(plain(rule))) };
    case "replaceRules": {
      const texts = textsOf(update);
      const kept = dropRules(text, update.behavior, (rule) => !texts.includes(plain(rule)));
      return addRules(kept, update.behavior, texts);
    }
    case "setMode":
      return setValue(text, ["permissions", "defaultMode"], update.mode);
    case "addDirectories":
      return addToList(text, ["permissions", "additionalDirectories"], update.directories);
    case "removeDirectories":
      return { text: update.directories.reduce(dropDirectory, text) };
  }
}

function textsOf({ rules }: Extract<PermissionUpdate, { rules: unknown }>): string[] {
  return [...new Set(rules.map((rule) => plain(formatRule(rule))))];
}

/** `Tool(*)` and `Tool` are the same rule. */
function plain(text: string): string {
  const parsed = parseRule(text);
  return "error" in parsed ? text : formatRule(parsed);
}

function addRules(text: string, behavior: RuleBehavior, texts: readonly string[]): EditedText {
  const root = treeOf(text);
  const present = new Set(root === undefined ? [] : lasting(root, behavior).map(plain));
  return addToList(
    text,
    ["permissions", behavior],
    texts.filter((rule) => !present.has(rule)),
  );
}

/** The rules of a behaviour that stand there for good. */
function lasting(root: Node, behavior: RuleBehavior): string[] {
  return nodesOf(root, behavior)
    .filter((node) => {
      const object = node.parent?.parent;
      const isObject = object?.type === "object" && findNodeAtLocation(object, ["rule"]) === node;
      return !isObject || findNodeAtLocation(object, ["expires"]) === undefined;
    })
    .flatMap(({ value }) => rulesIn(String(value)));
}

function dropRules(text: string, behavior: RuleBehavior, isGone: (rule: string) => boolean): string {
  const root = treeOf(text);
  const rules =
    root === undefined ? [] : nodesOf(root, behavior).flatMap(({ value }) => rulesIn(String(value)));
  return [...new Set(rules)]
    .filter(isGone)
    .reduce((rest, rule) => removeRule(rest, behavior, rule) ?? rest, text);
}

function dropDirectory(text: string, directory: string): string {
  let rest = text;
  for (;;) {
    const root = treeOf(rest);
    const list =
      root === undefined ? undefined : findNodeAtLocation(root, ["permissions", "additionalDirectories"]);
    const node = list?.children?.find(({ value }) => value === directory);
    if (node === undefined) return rest;
    rest = removeItem(rest, node);
  }
}

function addToList(text: string, path: readonly string[], values: readonly string[]): EditedText {
  if (values.length === 0) return { text };
  const root = treeOf(text);
  const list = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  if (list === undefined) return setValue(text, path, [...values]);
  if (list.type === "string") return setValue(text, path, [String(list.value), ...values]);
  if (list.type !== "array") return { problem: `${path.join(".")} is no list` };
  const held = new Set(list.children?.map(({ value }) => value as unknown));
  const fresh = values.filter((value) => !held.has(value));
  if (fresh.length === 0) return { text };
  return { text: insertInto(text, list, () => fresh.map((value) => JSON.stringify(value))) };
}

/** Sets a key, with the objects that hold it where they are missing. */
function setValue(text: string, path: readonly string[], value: unknown): EditedText {
  const style = styleOf(text);
  const root = treeOf(text);
  if (root === undefined) {
    const whole = path.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
    return {
      text: `${text.trimEnd()}${text.trim() === "" ? "" : style.eol}${written(whole, style, "")}${style.eol}`,
    };
  }
  if (root.type !== "object") return { problem: "it is no object" };
  const there = findNodeAtLocation(root, [...path]);
  if (there !== undefined) {
    const shown =
      Array.isArray(value) && text.includes("\n")
        ? written(value, style, indentAt(text, there.offset))
        : JSON.stringify(value);
    return { text: text.slice(0, there.offset) + shown + text.slice(there.offset + there.length) };
  }
  const depth = path.findIndex(
    (_, index) => findNodeAtLocation(root, path.slice(0, index + 1)) === undefined,
  );
  const holder = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth));
  if (holder?.type !== "object") return { problem: `${path.slice(0, depth).join(".")} is no object` };
  const inner = path.slice(depth + 1).reduceRight((rest: unknown, key) => ({ [key]: rest }), value);
  const key = JSON.stringify(path[depth]);
  return {
    text: insertInto(text, holder, (base) => [
      base === undefined ? `${key}: ${JSON.stringify(inner)}` : `${key}: ${written(inner, style, base)}`,
    ]),
  };
}
