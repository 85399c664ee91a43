import { isJsonObject } from "../../schema/index.ts";
import { RULE_LISTS, SETTING_SOURCES } from "../../settings/index.ts";
import type { LintOptions, RevokeOptions } from "../lint/types.ts";
import { firstFault, flag, func, oneOf, shape, text, textList } from "../options/checks.ts";
import { type Check, fault } from "../options/fault.ts";
import { compat, mode, settingSources } from "../options/settings-checks.ts";
import { platformCheck } from "../options/table.ts";
import { toolList } from "../options/tool-list.ts";
import type { CheckOptions, DryCall, TestPolicyOptions } from "./types.ts";

const settings: Check = (value) => {
  if (isJsonObject(value)) return undefined;
  if (Array.isArray(value)) {
    return firstFault(value, (each) => (isJsonObject(each) ? undefined : text(each)));
  }
  return typeof value === "string" ? text(value) : fault("a file, an object, or a list of both", value);
};

/** A table for each public function: what it does not go by, it refuses. */
type Checks<Options> = { readonly [K in keyof Options]-?: Check };

/** `check`, `explain`, `listRules`. */
export const CHECK_OPTIONS: Checks<CheckOptions> = {
  settings,
  settingSources,
  compat,
  allowedTools: textList,
  disallowedTools: textList,
  additionalDirectories: textList,
  mode,
  avoidPrompts: flag,
  cwd: text,
  home: text,
  trusted: flag,
  tools: toolList,
  onFinding: func,
  platform: platformCheck,
};

/** `lint`, `fixSettings`. */
export const LINT_OPTIONS: Checks<LintOptions> = {
  settings,
  settingSources,
  compat,
  cwd: text,
  home: text,
  tools: toolList,
  platform: platformCheck,
};

/** `revoke`. */
export const REVOKE_OPTIONS: Checks<RevokeOptions> = {
  from: oneOf(SETTING_SOURCES),
  behavior: oneOf(RULE_LISTS),
  compat,
  cwd: text,
  home: text,
  platform: platformCheck,
};

/** `testPolicy`. */
export const TEST_OPTIONS: Checks<TestPolicyOptions> = { where: func, tools: toolList };

const object: Check = (value) => (isJsonObject(value) ? undefined : fault("an object", value));

/** A call as `check()` and the cases of `testPolicy()` take it. */
export const dryCall: Check = shape(
  { tool: text, input: object } satisfies Checks<DryCall>,
  "an object with tool and input",
  ["tool", "input"],
);
