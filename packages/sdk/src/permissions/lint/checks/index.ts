import type { RuleCheck, WorldCheck } from "../check.ts";
import { spaceAroundStar, spaceInGlob, strayBlank } from "./blanks.ts";
import { coveredRules } from "./covered.ts";
import { flagDependent } from "./flags.ts";
import { lookAlike } from "./look-alike.ts";
import { expiredRule, oneOff } from "./one-off.ts";
import { sameRule } from "./pairs.ts";
import { denyMissesShell, editWithoutRead, oneReader, otherName, singleSlash } from "./paths.ts";
import { destructiveAllow, openEndedAllow } from "./programs.ts";
import { secretBehindInterpreter, secretInRule } from "./secrets.ts";
import {
  opaqueCommand,
  openQuoteInRule,
  operatorInRule,
  portStar,
  regexLike,
  shellFragment,
} from "./shell-form.ts";

/** Every check of a single rule that can be read, beside what compiling it finds. */
export const RULE_CHECKS: readonly RuleCheck[] = [
  lookAlike,
  spaceAroundStar,
  strayBlank,
  spaceInGlob,
  singleSlash,
  operatorInRule,
  shellFragment,
  openQuoteInRule,
  opaqueCommand,
  regexLike,
  portStar,
  secretInRule,
  denyMissesShell,
  oneReader,
  editWithoutRead,
  openEndedAllow,
  destructiveAllow,
  flagDependent,
  oneOff,
  expiredRule,
  otherName,
];

/** Every check of rules beside each other. */
export const WORLD_CHECKS: readonly WorldCheck[] = [secretBehindInterpreter, sameRule, coveredRules];
