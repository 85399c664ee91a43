import { normaliseMode } from "../../permissions/index.ts";
import { PERMISSION_MODES, type PermissionMode, type RuleBehavior } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import { type Draft, keyText, kindText, type Path, type PermissionsDraft, wrongType } from "./draft.ts";
import { readRuleObject } from "./read-rule-object.ts";

/** A key of `permissions`, or a list that stands at the top. */
export function readPermission(
  key: string,
  value: unknown,
  path: Path,
  into: PermissionsDraft,
  draft: Draft,
): void {
  switch (key) {
    case "allow":
    case "deny":
    case "ask":
      readRules(key, value, path, into, draft);
      return;
    case "rules":
      readObjects(value, path, into, draft);
      return;
    case "defaultMode":
      readMode(value, path, into, draft);
      return;
    default:
      readDirectories(value, path, into, draft);
  }
}

function readRules(
  key: RuleBehavior,
  value: unknown,
  path: Path,
  into: PermissionsDraft,
  draft: Draft,
): void {
  if (typeof value === "string") {
    draft.tell(path, {
      code: "wrong-type",
      severity: "info",
      message: `${keyText(path)} is one string; it is read as a list.`,
      fix: "Write a list of strings.",
    });
    addRule(key, value, path, into, draft);
    return;
  }
  if (!Array.isArray(value)) {
    bad(key, value, path, "a list of strings", draft);
    return;
  }
  into[key] ??= [];
  for (const [index, item] of value.entries()) {
    const place = [...path, index];
    if (typeof item === "string") addRule(key, item, place, into, draft);
    // Some write the reason into the list.
    else if (isJsonObject(item)) addObject({ ...item, behavior: key }, place, into, draft);
    else bad(key, item, place, "a string", draft);
  }
}

function addRule(key: RuleBehavior, rule: string, path: Path, into: PermissionsDraft, draft: Draft): void {
  into[key] ??= [];
  draft.moved.set(keyText(["permissions", key, into[key].length]), path);
  into[key].push(rule);
}

/** A rule that cannot be read. What may forbid something must not be taken for nothing. */
function bad(key: RuleBehavior, value: unknown, path: Path, expected: string, draft: Draft): void {
  const name = keyText(path);
  if (key === "allow") {
    draft.tell(path, wrongType(name, value, expected));
    return;
  }
  draft.broken ??= `${name} is ${kindText(value)}, and must be ${expected}`;
  draft.tell(path, {
    code: "wrong-type",
    severity: "error",
    message: `${name} is ${kindText(value)}: nobody knows what it forbids.`,
    fix: `It must be ${expected}.`,
  });
}

function readObjects(value: unknown, path: Path, into: PermissionsDraft, draft: Draft): void {
  if (!Array.isArray(value)) {
    bad("deny", value, path, "a list of objects { rule, behavior }", draft);
    return;
  }
  into.rules ??= [];
  for (const [index, item] of value.entries()) addObject(item, [...path, index], into, draft);
}

function addObject(value: unknown, path: Path, into: PermissionsDraft, draft: Draft): void {
  const rule = readRuleObject(value, path, draft);
  if (rule === undefined) return;
  into.rules ??= [];
  draft.moved.set(keyText(["permissions", "rules", into.rules.length]), path);
  into.rules.push(rule);
}

function readMode(value: unknown, path: Path, into: PermissionsDraft, draft: Draft): void {
  const mode = typeof value === "string" ? normaliseMode(value) : undefined;
  if (mode !== undefined) {
    into.defaultMode = value as PermissionMode | "yolo";
    return;
  }
  draft.tell(path, {
    code: "wrong-type",
    severity: "error",
    message: `${keyText(path)} is ${typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : kindText(value)}, and counts for nothing.`,
    fix: `It must be one of ${PERMISSION_MODES.join(", ")}.`,
  });
}

function readDirectories(value: unknown, path: Path, into: PermissionsDraft, draft: Draft): void {
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list)) {
    draft.tell(path, wrongType(keyText(path), value, "a list of folders"));
    return;
  }
  const good: string[] = [];
  for (const [index, item] of list.entries()) {
    const place = [...path, index];
    if (typeof item === "string" && item.trim() !== "" && !item.includes("\0")) {
      draft.moved.set(keyText(["permissions", "additionalDirectories", good.length]), place);
      good.push(item);
    } else draft.tell(place, wrongType(keyText(place), item, "the path of a folder"));
  }
  into.additionalDirectories = good;
}
