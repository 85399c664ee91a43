import type { PathResolution, ResolvedPathTarget } from "../../protocol/index.ts";
import { isRead } from "../cover/paths.ts";
import type { Facts } from "../facts/facts.ts";
import { grantingForms, isFreeTarget } from "../facts/path-forms.ts";
import { findPath, type PathRule } from "../policy/path-index.ts";
import { componentsOf, foldPath } from "../rule/fold.ts";
import { namesItself } from "../rule/path-match.ts";
import { escapePathSpecifier } from "../rule/specifier.ts";
import { type Outcome, outcome } from "./outcome.ts";

/** Paths that are asked about in every mode: protected names, odd files, removals of what holds everything else. */
export function safetyAsks(facts: Facts): Outcome | undefined {
  for (const target of facts.paths) {
    const found = faultOf(facts, target);
    if (found !== undefined) {
      return outcome("ask", { type: "safetyCheck", path: target.path, ...found });
    }
  }
  return undefined;
}

/** What stands against a path. */
interface SafetyFault {
  readonly detail: string;
  readonly liftedBy?: readonly string[];
}

function faultOf(facts: Facts, target: ResolvedPathTarget): SafetyFault | undefined {
  if (target.unknown) {
    const blind = unknownRemoval(target) ?? linkedWrite(target);
    if (blind !== undefined) return { detail: blind };
  }
  if (isFreeTarget(target)) return undefined;
  for (const resolution of target.resolutions) {
    if (target.access === "remove" && resolution.removesRoot !== undefined) {
      return { detail: `It removes too much: ${resolution.removesRoot}.` };
    }
    if (resolution.suspicious !== undefined) {
      return { detail: `The path is suspicious: ${resolution.suspicious}.` };
    }
    const fault = protectedFault(facts, target, resolution);
    if (fault !== undefined) return { detail: fault, ...lifting(target) };
    const carried = carriedFault(facts, target, resolution);
    if (carried !== undefined) return { detail: carried };
  }
  return undefined;
}

/** The Edit rules that name these very paths; none where they are not known, a glob, or behind a link. */
function lifting({ unknown, glob, resolutions }: ResolvedPathTarget): Pick<SafetyFault, "liftedBy"> {
  if (unknown || glob || resolutions.some(({ given, real }) => given !== real)) return {};
  const rules = resolutions.map(({ given }) => `Edit(//${escapePathSpecifier(given.replace(/^\/+/u, ""))})`);
  return { liftedBy: [...new Set(rules)] };
}

function unknownRemoval(target: ResolvedPathTarget): string | undefined {
  if (target.access !== "remove") return undefined;
  if (target.recursive !== true && !target.path.includes("/")) return undefined;
  return "It removes something whose place is not known before it runs.";
}

/** The line makes the link that it writes through: where that leads is only known when it runs. */
function linkedWrite(target: ResolvedPathTarget): string | undefined {
  if (target.linked !== true || isRead(target)) return undefined;
  return "It writes where the same line may have made a link, so what it changes is not known before it runs.";
}

function protectedFault(
  facts: Facts,
  target: ResolvedPathTarget,
  resolution: PathResolution,
): string | undefined {
  const name = resolution.protected;
  if (name === undefined || isRead(target)) return undefined;
  if (liftsProtection(facts, resolution, name.name, name.loaded)) return undefined;
  if (name.kept === true) return `It changes what is kept of sessions and approvals (${name.name}).`;
  return name.loaded
    ? `It changes a file that holds rules, hooks or servers (${name.name}).`
    : `It changes something below a protected name (${name.name}).`;
}

const COPIERS: ReadonlySet<string> = new Set(["cp", "gcp", "rsync", "ditto", "mv", "gmv"]);

/** What is copied or moved with a tree is written too, under a name that no operand spells. */
function carriedFault(
  facts: Facts,
  target: ResolvedPathTarget,
  resolution: PathResolution,
): string | undefined {
  if (target.shell === undefined || target.access === "write" || facts.lines.length !== 1) return undefined;
  if (target.recursive !== true && target.access !== "remove") return undefined;
  const name = resolution.holds ?? (target.glob === true ? resolution.protected : undefined);
  // Of a tree too large to look through nothing is known; that alone is no reason to ask in every mode.
  if (name === undefined || name.name === "*") return undefined;
  const program = facts.lines[0]?.commands[target.shell.command]?.words[0]?.value ?? "";
  const base = program.slice(program.lastIndexOf("/") + 1).toLowerCase();
  return COPIERS.has(base) ? `It carries something with a protected name (${name.name}) along.` : undefined;
}

/**
 * Only an Edit allow rule that spells the protected component lifts the check; for a file that is loaded
 * as rules, hooks or servers the rule must name the very file, with no wildcard.
 */
function liftsProtection(facts: Facts, resolution: PathResolution, name: string, loaded: boolean): boolean {
  const index = facts.policy.allow.edit;
  const forms = grantingForms(resolution, index.folded);
  if (forms === undefined) return false;
  return forms.every(
    (form) =>
      findPath(index, form, facts.now, (rule) =>
        loaded ? namesFile(rule, form.components) : spells(rule, name),
      ) !== undefined,
  );
}

function spells(rule: PathRule, name: string): boolean {
  const wanted = componentsOf(name).map(foldPath);
  const { written } = rule.pattern;
  return written.some((_, start) =>
    wanted.every((part, offset) => {
      const own = written[start + offset];
      return own?.kind === "literal" && foldPath(own.text) === part;
    }),
  );
}

function namesFile(rule: PathRule, components: readonly string[]): boolean {
  const { pattern } = rule;
  if (pattern.container || pattern.written.length === 0) return false;
  return pattern.written.every((part) => part.kind === "literal") && namesItself(pattern, components);
}
