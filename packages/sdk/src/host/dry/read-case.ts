import { isJsonObject } from "../../schema/index.ts";
import { nearestName } from "../../tools/index.ts";
import { anyText, flag, record, shape, text, textList } from "../options/checks.ts";
import { badOption, type Check, type Fault, fault, shown } from "../options/fault.ts";
import { mode } from "../options/settings-checks.ts";
import { dryCall } from "./check-options.ts";
import type { PolicyCase } from "./types.ts";

const WANTS: readonly string[] = ["allow", "ask", "deny"];
const NEEDED = ["id", "mode", "cwd", "call", "want"] as const;

const absolute: Check = (value) =>
  typeof value === "string" && value.startsWith("/") ? undefined : fault("an absolute path", value);

const object: Check = (value) => (isJsonObject(value) ? undefined : fault("an object", value));

const want: Check = (value) => {
  const parts = typeof value === "string" ? value.split("|") : [];
  const isGood = parts.length > 0 && parts.every((part) => WANTS.includes(part));
  return isGood ? undefined : fault('"allow", "ask" or "deny", or several with | between them', value);
};

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["id", text],
  [
    "settings",
    shape(
      { user: object, project: object, local: object, flag: object, policy: object },
      "an object with user, project, local, flag or policy",
    ),
  ],
  [
    "options",
    shape(
      { allowedTools: textList, disallowedTools: textList, additionalDirectories: textList },
      "an object with allowedTools, disallowedTools or additionalDirectories",
    ),
  ],
  ["mode", mode],
  ["cwd", absolute],
  ["home", absolute],
  ["fs", record(anyText, "an object of texts by path")],
  ["trusted", flag],
  ["call", dryCall],
  ["want", want],
]);

/**
 * One case, checked key by key.
 *
 * @param where how a message names it: `cases[3]`, `policy.jsonl, line 4`.
 * @throws CastellanError `invalid_option` naming the place, the key and the fix.
 */
export function readCase(value: unknown, where: string): PolicyCase {
  if (!isJsonObject(value)) {
    throw badOption(
      where,
      `${where}: it is ${shown(value)}.`,
      `A case is an object with ${NEEDED.join(", ")}.`,
    );
  }
  for (const key of Object.keys(value)) {
    if (CHECKS.has(key)) continue;
    const near = nearestName(key, CHECKS.keys());
    const fix =
      near === undefined ? `Known keys: ${[...CHECKS.keys()].join(", ")}.` : `Did you mean ${near}?`;
    throw badOption(where, `${where}: a case has no key ${key}.`, fix);
  }
  for (const key of NEEDED) {
    if (value[key] === undefined) throw malformed(where, `${key} is missing`, "Every case needs it.");
  }
  for (const [key, check] of CHECKS) {
    const found = value[key] === undefined ? undefined : check(value[key]);
    if (found !== undefined) throw caseFault(where, key, found);
  }
  return value as unknown as PolicyCase;
}

/** A case that cannot be run. `what` names the key and what is wrong with it. */
export function malformed(where: string, what: string, fix: string): Error {
  return badOption(where, `${where}: ${what}.`, fix);
}

function caseFault(where: string, key: string, { at, got, expected, fix }: Fault): Error {
  const must = `It must be ${expected}.`;
  return malformed(where, `${key}${at} is ${got}`, fix === undefined ? must : `${must} ${fix}`);
}
