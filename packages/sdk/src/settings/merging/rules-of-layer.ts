import { failingExamples, parseRuleList } from "../../permissions/index.ts";
import { CastellanError, type SourcedRule } from "../../protocol/index.ts";
import { RULE_LISTS } from "../known-keys.ts";
import { placeOfKey } from "../place-of-key.ts";
import { readExpiry } from "../reading/read-expiry.ts";
import type { RuleObject, SettingsLayer } from "../types.ts";
import type { SettingPlaces } from "./directories.ts";

/**
 * The rules of a layer, with their lines.
 *
 * @throws CastellanError `invalid_rule` for a rule object whose example fails.
 */
export function rulesOf(
  layer: SettingsLayer,
  withAllow: boolean,
  places: SettingPlaces,
): readonly SourcedRule[] {
  const { permissions = {} } = layer.settings;
  const lists = RULE_LISTS.filter((key) => withAllow || key !== "allow").flatMap((key) =>
    (permissions[key] ?? []).flatMap((entry, index) =>
      parseRuleList([entry], key, layer.source, layer.file).map(
        // Of an option the position is that of the entry, of a file the line.
        (rule): SourcedRule => ({ ...rule, ...positionOf(layer, key, index), ...hostRoot(layer) }),
      ),
    ),
  );
  const objects = (permissions.rules ?? []).flatMap((object, index) =>
    withAllow || object.behavior !== "allow" ? [ruleOf(layer, object, index, places)] : [],
  );
  return [...lists, ...objects];
}

/** An option that is a list of rule objects by itself. */
const RULES_OPTION = "permissionRules";

function positionOf(
  layer: SettingsLayer,
  key: string,
  index: number,
): Pick<SourcedRule, "file" | "position"> {
  const line = layer.line(["permissions", key, index]);
  if (line !== undefined) return { position: line };
  const isOption = layer.file === RULES_OPTION;
  return { file: isOption ? RULES_OPTION : `${layer.file}.permissions.${key}`, position: index + 1 };
}

function ruleOf(layer: SettingsLayer, object: RuleObject, index: number, places: SettingPlaces): SourcedRule {
  const { rule, behavior, reason, approver } = object;
  const expires = readExpiry(object.expires);
  const sourced: SourcedRule = {
    text: rule,
    behavior,
    source: layer.source,
    file: layer.file,
    ...positionOf(layer, "rules", index),
    ...(reason === undefined ? {} : { reason }),
    ...(expires === undefined ? {} : { expires }),
    ...(approver === undefined ? {} : { approver }),
    ...hostRoot(layer),
  };
  tryExamples(sourced, layer, object, index, places);
  return sourced;
}

/** In files of this host a single `/` is the root of the disk. */
function hostRoot({ compat }: SettingsLayer): Pick<SourcedRule, "slashRoot"> {
  return compat === "qoder" ? { slashRoot: "/" } : {};
}

function tryExamples(
  rule: SourcedRule,
  layer: SettingsLayer,
  { match, notMatch }: RuleObject,
  index: number,
  { home, projectRoot, cwd }: SettingPlaces,
): void {
  const [failing] = failingExamples(rule, { match, notMatch }, { home, projectRoot, startDirectory: cwd });
  if (failing === undefined) return;
  const { example, list, message } = failing;
  const at = ((list === "match" ? match : notMatch) ?? []).indexOf(example);
  const { position } = placeOfKey(layer, ["permissions", "rules", index, list, at]);
  const line = position === undefined ? `, permissions.rules[${index}].${list}[${at}]` : `, line ${position}`;
  throw new CastellanError(
    "invalid_rule",
    `${layer.file}${line}: ${rule.text} fails its ${list} example ${example}. ${message}`,
    { subject: rule.text, fix: "Mend the rule or the example." },
  );
}
