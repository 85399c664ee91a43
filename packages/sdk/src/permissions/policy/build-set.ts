import type { PermissionContext, RuleBehavior, SourcedRule } from "../../protocol/index.ts";
import { parseHostPattern } from "../rule/host-pattern.ts";
import { mcpAllowFault, mcpBinder } from "../rule/mcp-name.ts";
import { canonicalName, familyOf, foldedName } from "../rule/names.ts";
import type { ParsedRule } from "../rule/parse.ts";
import { parsePathPattern } from "../rule/path-pattern.ts";
import { parseTextPattern } from "../rule/text-pattern.ts";
import type { BoundRule } from "./bound-rule.ts";
import { findingOf } from "./finding.ts";
import { listAt } from "./list-at.ts";
import type { Reporter } from "./malformed.ts";
import { indexMcp, type McpRule } from "./mcp-index.ts";
import { indexPaths, type PathRule } from "./path-index.ts";
import type { HostRule, RuleSet } from "./rule-set.ts";
import { indexTexts, type TextRule, textRule } from "./text-index.ts";

/** Gathers the rules of one behaviour. Whatever cannot be placed is reported, and binds its whole tool. */
export interface SetBuilder {
  add(rule: SourcedRule, parsed: ParsedRule): void;
  /** A deny or ask rule that cannot be read: it binds its whole tool, or every tool where it names none. */
  addWhole(rule: SourcedRule, toolName: string | undefined): void;
  build(): RuleSet;
}

export function setBuilder(
  behavior: RuleBehavior,
  context: PermissionContext,
  reporter: Reporter,
): SetBuilder {
  const binds = behavior !== "allow";
  const keyOf = binds ? foldedName : canonicalName;
  const whole = new Map<string, BoundRule[]>();
  const every: BoundRule[] = [];
  const mcp: McpRule[] = [];
  const bash: TextRule[] = [];
  const read: PathRule[] = [];
  const edit: PathRule[] = [];
  const domains: HostRule[] = [];
  const names = new Map<string, TextRule[]>();

  function addWhole(rule: SourcedRule, toolName: string | undefined): void {
    const key = toolName === undefined ? "*" : keyOf(toolName);
    // The whole of a server is more than a tool of that name.
    if (binds && toolName !== undefined && familyOf(toolName) === "mcp")
      mcp.push({ rule, name: toolName, binder: mcpBinder(toolName) });
    else if (key !== "*") listAt(whole, key).push({ rule });
    else if (binds) every.push({ rule });
  }

  function addPath(rule: SourcedRule, specifier: string, into: PathRule[]): void {
    const pattern = parsePathPattern(specifier, {
      source: rule.source,
      slashRoot: rule.slashRoot,
      binds,
      context,
    });
    if (pattern === undefined) {
      const fix = "Write one rule that names what is meant, without `!`.";
      reporter.report(
        findingOf(rule, "negation", "A pattern that starts with `!` matches nothing.", { fix }),
      );
    } else if ("error" in pattern) {
      reporter.malformed(rule, pattern.error);
      if (binds) addWhole(rule, rule.text.slice(0, rule.text.indexOf("(")));
    } else {
      into.push({ rule, pattern });
    }
  }

  function add(rule: SourcedRule, parsed: ParsedRule): void {
    const { toolName, ruleContent } = parsed;
    const family = familyOf(toolName);
    // An allow rule must spell its family exactly; deny and ask bind by the folded name.
    const exact = binds || familyOf(canonicalName(toolName)) === "name" || isExact(toolName);
    if (family === "mcp") {
      const fault = binds ? undefined : mcpAllowFault(toolName);
      if (fault !== undefined)
        reporter.report(findingOf(rule, "allows-nothing", `The rule allows nothing: ${fault}.`));
      mcp.push({ rule, name: toolName, binder: mcpBinder(toolName) });
    } else if (ruleContent === undefined) {
      if (family === "any" && !binds) {
        const fix = "Name the tools to allow.";
        reporter.report(findingOf(rule, "allows-nothing", "`*` alone allows nothing.", { fix }));
      }
      addWhole(rule, toolName);
    } else if (!exact) {
      // A wrong spelling names no tool: reported by the check of names.
      return;
    } else if (family === "read") {
      addPath(rule, ruleContent, read);
    } else if (family === "edit") {
      addPath(rule, ruleContent, edit);
    } else if (family === "domain") {
      const pattern = parseHostPattern(ruleContent);
      if (!("error" in pattern)) domains.push({ rule, pattern });
    } else {
      const pattern = parseTextPattern(ruleContent, family === "bash");
      if ("error" in pattern) return;
      const placed = textRule({ rule }, ruleContent, pattern);
      if (family === "bash") bash.push(placed);
      else listAt(names, keyOf(toolName)).push(placed);
    }
  }

  return {
    add,
    addWhole,
    build: () => {
      const folded = binds || context.caseInsensitiveFiles;
      const onReads = indexPaths(read, folded);
      const onEdits = indexPaths(edit, folded);
      return {
        whole,
        every,
        mcp: indexMcp(mcp),
        bash: indexTexts(bash),
        read: onReads,
        edit: onEdits,
        onRead: binds ? [onReads] : [onReads, onEdits],
        onWrite: behavior === "deny" ? [onEdits, onReads] : [onEdits],
        domains,
        names,
      };
    },
  };
}

function isExact(toolName: string): boolean {
  return EXACT.has(canonicalName(toolName));
}

const EXACT: ReadonlySet<string> = new Set([
  ...[
    "Bash",
    "Read",
    "Glob",
    "Grep",
    "LS",
    "Edit",
    "Write",
    "MultiEdit",
    "NotebookEdit",
    "WebFetch",
    "Agent",
  ],
]);
