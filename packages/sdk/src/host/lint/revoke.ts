import { resolve } from "node:path";
import { parseRuleList } from "../../permissions/index.ts";
import { CastellanError, editDistance, type RuleBehavior, type RuleSource } from "../../protocol/index.ts";
import {
  changeFile,
  notChanged,
  RULE_LISTS,
  removeRule,
  SETTING_SOURCES,
  type SettingSource,
  type SettingsLayer,
} from "../../settings/index.ts";
import { REVOKE_OPTIONS } from "../dry/check-options.ts";
import { type AllSettings, readAll } from "../dry/read-all.ts";
import { checkKeys } from "../options/check-keys.ts";
import { badOption } from "../options/fault.ts";
import type { RevokeOptions, RevokeResult } from "./types.ts";

const SOURCES = { userSettings: "user", projectSettings: "project", localSettings: "local" } as const;
const MOST_NEAR = 5;

interface Held {
  readonly rule: string;
  readonly behavior: RuleBehavior;
  readonly source: SettingSource;
  readonly file: string;
}

/**
 * Takes a rule out of the settings file that holds it; everything else in the file stays.
 *
 * Rejects with a CastellanError `invalid_option`, or `invalid_settings` for a file that cannot be read or written.
 */
export async function revoke(rule: string, options: RevokeOptions = {}): Promise<RevokeResult> {
  if (typeof rule !== "string" || rule.trim() === "")
    throw badOption("rule", "The rule to revoke is no text.", "Write it as it stands in the file.");
  checkKeys(options, REVOKE_OPTIONS);
  const { from, behavior = "allow", ...rest } = options;
  const all = await readAll({ ...rest, settingSources: SETTING_SOURCES });
  const held = heldRules(all, from, behavior);
  const wanted = held.filter((each) => each.rule === rule);
  if (wanted.length === 0) {
    refuseUnread(all, from, rule);
    const others = RULE_LISTS.filter((list) => list !== behavior)
      .flatMap((list) => heldRules(all, from, list))
      .filter((each) => each.rule === rule);
    const nearest = others.length > 0 ? others : nearestOf(rule, held);
    return { revoked: false, reason: "not_found", nearest };
  }
  if (new Set(wanted.map(({ source }) => source)).size > 1)
    return { revoked: false, reason: "several", nearest: wanted };
  const files = [...new Set(wanted.map(({ file }) => file))];
  for (const file of files) await removeFrom(all, file, behavior, rule);
  return { revoked: true, files };
}

/** A file that cannot be read may be the one that holds the rule. */
function refuseUnread({ read }: AllSettings, from: SettingSource | undefined, rule: string): void {
  const unread = read.findings.find(
    ({ code, source }) => code === "unreadable" && (from === undefined || sourceOf(source) === from),
  );
  if (unread === undefined) return;
  const { file, message } = unread;
  throw new CastellanError("invalid_settings", `Whether ${file} holds ${rule} is not known. ${message}`, {
    subject: file,
    fix: "Mend the file, and try again.",
  });
}

function heldRules({ read }: AllSettings, from: SettingSource | undefined, behavior: RuleBehavior): Held[] {
  return read.layers.flatMap((layer): Held[] => {
    const source = sourceOf(layer.source);
    if (source === undefined || (from !== undefined && from !== source)) return [];
    return rulesOf(layer, behavior).map((rule) => ({ rule, behavior, source, file: layer.file }));
  });
}

function sourceOf(source: RuleSource): SettingSource | undefined {
  return Object.hasOwn(SOURCES, source) ? SOURCES[source as keyof typeof SOURCES] : undefined;
}

function rulesOf({ settings: { permissions } }: SettingsLayer, behavior: RuleBehavior): string[] {
  const objects = (permissions?.rules ?? []).filter((each) => each.behavior === behavior);
  const texts = parseRuleList(permissions?.[behavior] ?? [], behavior, "session").map(({ text }) => text);
  return [...texts, ...objects.map(({ rule }) => rule)];
}

function nearestOf(rule: string, held: readonly Held[]): readonly Held[] {
  const distance = ({ rule: other }: Held): number => editDistance(rule.slice(0, 200), other.slice(0, 200));
  return held
    .map((each) => [distance(each), each] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, MOST_NEAR)
    .map(([, each]) => each);
}

async function removeFrom(
  { platform, cwd }: AllSettings,
  file: string,
  behavior: RuleBehavior,
  rule: string,
): Promise<void> {
  await changeFile(platform, resolve(cwd, file), {}, (before) => {
    const text = before === undefined ? undefined : removeRule(before, behavior, rule);
    if (text !== undefined) return text;
    const problem = before === undefined ? "it was removed meanwhile" : `it does not hold ${rule} any more`;
    throw notChanged(file, problem, "Look at it, and try again.");
  });
}
