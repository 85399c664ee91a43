import { nearestName } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import type { RuleObject } from "../types.ts";
import { type Draft, type Filling, keyText, kindText, type Path } from "./draft.ts";
import { readExpiry } from "./read-expiry.ts";

const KEYS = ["rule", "behavior", "reason", "expires", "approver", "match", "notMatch"] as const;

/**
 * An entry of `permissions.rules`. One that forbids or asks and cannot be read breaks its file; one that allows is
 * reported and left out.
 */
export function readRuleObject(value: unknown, path: Path, draft: Draft): RuleObject | undefined {
  if (!isJsonObject(value)) return refuse(`is ${kindText(value)}`, true, path, draft);
  const { rule, behavior, reason, expires, approver, match, notMatch } = value;
  const binds = behavior !== "allow";
  if (behavior !== "allow" && behavior !== "deny" && behavior !== "ask") {
    const problem = behavior === undefined ? "has no behavior" : "has a behavior that is none of";
    const values = behavior === undefined ? " (allow, deny or ask)" : " allow, deny and ask";
    return refuse(`${problem}${values}`, true, path, draft);
  }
  if (typeof rule !== "string" || rule.trim() === "") return refuse("has no rule", binds, path, draft);
  const unknown = Object.keys(value).filter((key) => !KEYS.some((known) => known === key));
  for (const key of unknown) {
    const near = nearestName(key, KEYS);
    const hint = near === undefined ? "" : ` (did you mean ${near}?)`;
    const problem = `has the key ${key}${hint}, which no rule has`;
    // A limit that is misspelt must not make an allowance without one.
    tell(`${problem}. It counts ${binds ? "without it" : "for nothing"}`, path, draft);
  }
  const isWhole = binds || unknown.length === 0;
  const read: Filling<RuleObject> = { rule, behavior };
  if (reason !== undefined) {
    if (typeof reason === "string") read.reason = reason;
    else tell(`has a reason that is ${kindText(reason)}. It counts without it`, path, draft);
  }
  if (approver === "human" || approver === "auto") read.approver = approver;
  else if (approver !== undefined)
    tell("has an approver that is neither human nor auto. It counts without it", path, draft);
  if (expires !== undefined) {
    if (readExpiry(expires) === undefined) {
      const problem =
        "has an expires that is no day (2027-01-31), no time with its zone and no number of milliseconds";
      if (!binds) return refuse(problem, false, path, draft);
      tell(`${problem}. It counts without end`, path, draft);
    } else read.expires = expires as string | number;
  }
  for (const [key, list] of [
    ["match", match],
    ["notMatch", notMatch],
  ] as const) {
    if (list === undefined) continue;
    if (!isTexts(list)) return refuse(`has a ${key} that is no list of calls`, binds, path, draft);
    read[key] = list;
  }
  return isWhole ? read : undefined;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

const FIX = "Write { rule, behavior, reason?, expires?, approver?, match?, notMatch? }.";

function tell(problem: string, path: Path, draft: Draft): void {
  draft.tell(path, {
    code: "wrong-type",
    severity: "error",
    message: `${keyText(path)} ${problem}.`,
    fix: FIX,
  });
}

function refuse(problem: string, breaks: boolean, path: Path, draft: Draft): undefined {
  if (breaks) draft.broken ??= `${keyText(path)} ${problem}`;
  tell(`${problem}${breaks ? ": nobody knows what it forbids" : ". It counts for nothing"}`, path, draft);
}
