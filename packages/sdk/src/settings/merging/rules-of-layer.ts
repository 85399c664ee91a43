import { failingExamples, parseRule, parseRuleList } from "../../permissions/index.ts";
import { CastellanError, type SourcedRule } from "../../protocol/index.ts";
import { RULE_LISTS } from "../known-keys.ts";
import { findingAt } from "../place-of-key.ts";
import { readExpiry } from "../reading/read-expiry.ts";
import type { RuleObject, SettingsFinding, SettingsLayer } from "../types.ts";
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
  const objects = (permissions.rules ?? []).flatMap((object, index) => {
    if (!withAllow && object.behavior === "allow") return [];
    const rule = ruleOf(layer, object, index);
    refuseFailing(rule, layer, object, index, places);
    return [rule];
  });
  return [...lists, ...objects];
}

/** The examples of a layer's rule objects that fail. Those of a rule that cannot be read are not tried. */
export function failingIn(layer: SettingsLayer, places: SettingPlaces): readonly SettingsFinding[] {
  return (layer.settings.permissions?.rules ?? []).flatMap((object, index) => {
    // Told of by itself; in the machine's policy it could not be tried.
    if ("error" in parseRule(object.rule)) return [];
    const rule = ruleOf(layer, object, index);
    return failingOf(rule, object, places).map((failing) =>
      findingAt(layer, pathOf(index, failing), {
        code: "failing-example",
        severity: "error",
        message: textOf(rule, failing),
        fix: FIX,
      }),
    );
  });
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

function ruleOf(layer: SettingsLayer, object: RuleObject, index: number): SourcedRule {
  const { rule, behavior, reason, approver } = object;
  const expires = readExpiry(object.expires);
  return {
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
}

/** In files of this host a single `/` is the root of the disk. */
function hostRoot({ compat }: SettingsLayer): Pick<SourcedRule, "slashRoot"> {
  return compat === "qoder" ? { slashRoot: "/" } : {};
}

const FIX = "Mend the rule or the example.";

function refuseFailing(
  rule: SourcedRule,
  layer: SettingsLayer,
  object: RuleObject,
  index: number,
  places: SettingPlaces,
): void {
  const [failing] = failingOf(rule, object, places);
  if (failing === undefined) return;
  const line = layer.line(pathOf(index, failing));
  const place =
    line === undefined ? `permissions.rules[${index}].${failing.list}[${failing.index}]` : `line ${line}`;
  throw new CastellanError("invalid_rule", `${layer.file}, ${place}: ${textOf(rule, failing)}`, {
    subject: rule.text,
    fix: FIX,
  });
}

type Failing = ReturnType<typeof failingExamples>[number];

function failingOf(
  rule: SourcedRule,
  { match, notMatch }: RuleObject,
  { home, projectRoot, cwd }: SettingPlaces,
): readonly Failing[] {
  return failingExamples(rule, { match, notMatch }, { home, projectRoot, startDirectory: cwd });
}

function pathOf(rule: number, { list, index }: Failing): readonly (string | number)[] {
  return ["permissions", "rules", rule, list, index];
}

function textOf({ text }: SourcedRule, { list, example, message }: Failing): string {
  return `${text} fails its ${list} example ${example}. ${message}`;
}
