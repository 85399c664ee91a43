import { findingOf, mending } from "../../policy/finding.ts";
import { NOTHING, type RuleCheck } from "../check.ts";
import type { Subject } from "../subject.ts";

/** Families whose rules are compared with texts. */
const TEXTS: ReadonlySet<string> = new Set(["bash", "agent", "name"]);

/** `Bash(git push :* )`: the colon and the star are plain text there. */
export const spaceAroundStar: RuleCheck = ({ rule, family, toolName, specifier = "" }) => {
  if (!TEXTS.has(family)) return NOTHING;
  const mended = starClosed(specifier);
  if (mended === undefined || mended === specifier) return NOTHING;
  const message = "Blanks stand around the `:*` at the end, so that it is plain text and matches no command.";
  const fixed = `${toolName}(${mended})`;
  return [findingOf(rule, "space-around-star", message, mending(rule, fixed, "replace"))];
};

/** The text with a closing `:*` put together, or undefined where none closes it. */
function starClosed(specifier: string): string | undefined {
  const outer = specifier.trim();
  if (!outer.endsWith("*") || outer.endsWith("\\*")) return undefined;
  const colon = outer.slice(0, -1).trimEnd();
  if (!colon.endsWith(":")) return undefined;
  const before = colon.slice(0, -1).trimEnd();
  return before === "" ? undefined : `${before}:*`;
}

/** Blanks that a command never has where the rule has them. */
export const strayBlank: RuleCheck = (subject) => {
  const { rule, family, toolName, specifier = "" } = subject;
  if (!TEXTS.has(family) || starClosed(specifier) !== undefined) return NOTHING;
  const mended = plainBlanks(subject);
  if (mended === specifier || mended === "" || mended === "*") return NOTHING;
  const message = "Blanks at an edge, two in a row, or a tab: no command is compared with them.";
  const fixed = `${toolName}(${mended})`;
  return [findingOf(rule, "stray-blank", message, mending(rule, fixed, "replace"))];
};

function plainBlanks({ family, specifier = "" }: Subject): string {
  const outer = specifier.trim();
  // Inside quotes blanks are part of the argument.
  return family === "bash" && !/["'\\]/u.test(outer) ? outer.split(/[ \t]+/u).join(" ") : outer;
}

/** `Read( ** /*key*)` */
export const spaceInGlob: RuleCheck = ({ rule, family, toolName, specifier }, world) => {
  if (specifier === undefined || (family !== "read" && family !== "edit")) return NOTHING;
  const mended = specifier
    .split("/")
    .map((part) => part.trim())
    .join("/");
  if (mended === specifier || mended === "") return NOTHING;
  const fixed = `${toolName}(${mended})`;
  // The rule as it stands binds folders that are really called so.
  if (world.has(fixed, rule.behavior)) return NOTHING;
  const message = "Blanks around the parts of a path belong to the names: the pattern matches nothing else.";
  return [findingOf(rule, "space-in-glob", message, mending(rule, fixed, "add"))];
};
