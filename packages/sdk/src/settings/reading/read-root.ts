import { nearestName } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import { PERMISSION_KEYS, ROOT_KEYS, SWITCHES, TIGHTENING } from "../known-keys.ts";
import type { Settings } from "../types.ts";
import {
  type Draft,
  type Filling,
  keyText,
  kindText,
  type Path,
  type PermissionsDraft,
  wrongType,
} from "./draft.ts";
import { readPermission } from "./read-permissions.ts";
import { readSwitch } from "./read-switch.ts";

type Root = Filling<Settings>;

const ROOT: ReadonlySet<string> = new Set(ROOT_KEYS);
const INNER: ReadonlySet<string> = new Set(PERMISSION_KEYS);
const EITHER: ReadonlySet<string> = new Set(SWITCHES);

/** What an object of settings says; whatever is wrong with it is told to the draft. */
export function readRoot(value: Readonly<Record<string, unknown>>, draft: Draft): Settings {
  const root: Root = {};
  const permissions: PermissionsDraft = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || key === "$schema") continue;
    if (key === "permissions") readBlock(item, permissions, draft);
    else if (EITHER.has(key)) readSwitch(key, item, [key], root, draft);
    else if (ROOT.has(key)) readRootKey(key, item, root, draft);
    else if (INNER.has(key)) misplaced(key, item, permissions, draft);
    else unknownKey([key], [...ROOT_KEYS, ...SWITCHES], draft);
  }
  return Object.keys(permissions).length > 0 ? { ...root, permissions } : root;
}

function readBlock(value: unknown, permissions: PermissionsDraft, draft: Draft): void {
  if (!isJsonObject(value)) {
    draft.broken ??= `permissions is ${kindText(value)}, and must be an object`;
    draft.tell(["permissions"], wrongType("permissions", value, "an object with allow, deny, ask"));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const path = ["permissions", key];
    if (item === undefined) continue;
    if (INNER.has(key)) readPermission(key, item, path, permissions, draft);
    else if (EITHER.has(key)) readSwitch(key, item, path, permissions, draft);
    else if (ROOT.has(key)) {
      draft.tell(path, {
        code: "wrong-level",
        severity: "error",
        message: `${key} stands inside permissions, where it counts for nothing.`,
        fix: "Move it beside permissions.",
      });
    } else unknownKey(path, [...PERMISSION_KEYS, ...SWITCHES], draft);
  }
}

/** A list at the root: what it forbids counts all the same, what it allows does not. */
function misplaced(key: string, value: unknown, permissions: PermissionsDraft, draft: Draft): void {
  const binds = key === "deny" || key === "ask";
  draft.tell([key], {
    code: "wrong-level",
    severity: "error",
    message: `${key} stands at the top, ${binds ? "and is taken as if it stood in permissions" : "where it counts for nothing"}.`,
    fix: `Move it into permissions: { "permissions": { "${key}": … } }.`,
  });
  if (binds) readPermission(key, value, [key], permissions, draft);
}

function unknownKey(path: Path, known: readonly string[], draft: Draft): void {
  const name = String(path.at(-1));
  const nearest = nearestName(name, known);
  if (draft.foreign && nearest === undefined) return;
  draft.tell(path, {
    code: "unknown-key",
    severity: nearest !== undefined && TIGHTENING.has(nearest) ? "error" : "warning",
    message: `${keyText(path)} is no key of settings, and counts for nothing.`,
    fix: nearest === undefined ? `Known here: ${known.join(", ")}.` : `Did you mean ${nearest}?`,
  });
}

function readRootKey(key: string, value: unknown, root: Root, draft: Draft): void {
  switch (key) {
    case "model":
      if (typeof value === "string" && value.trim() !== "") root.model = value;
      else draft.tell([key], wrongType(key, value, "the name of a model"));
      return;
    case "cleanupPeriodDays":
      // 0 is read as "never" by some and as "at once" by others.
      if (typeof value === "number" && value >= 1) root.cleanupPeriodDays = value;
      else draft.tell([key], wrongType(key, value, "a number of days, 1 or more"));
      return;
    case "env":
      readEnv(value, root, draft);
      return;
    case "mcpServers":
      if (isJsonObject(value)) root.mcpServers = value;
      else draft.tell([key], wrongType(key, value, "an object of servers"));
      return;
    default:
      root[key as "hooks" | "sandbox"] = value;
  }
}

function readEnv(value: unknown, root: Root, draft: Draft): void {
  if (!isJsonObject(value)) {
    draft.tell(["env"], wrongType("env", value, "an object of strings"));
    return;
  }
  const good: [string, string][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === "string" && !item.includes("\0")) good.push([name, item]);
    else draft.tell(["env", name], wrongType(`env.${name}`, item, "a string without NUL"));
  }
  root.env = Object.fromEntries(good);
}
