import type { PermissionContext, SourcedRule } from "../../protocol/index.ts";
import { wellKnownSpelling } from "../rule/names.ts";
import { parseRule } from "../rule/parse.ts";
import { type SetBuilder, setBuilder } from "./build-set.ts";
import type { CompiledRules } from "./compiled-rules.ts";
import { type Finding, findingOf, mending } from "./finding.ts";
import { gentleReporter, type Reporter, strictReporter } from "./malformed.ts";
import { recentRules } from "./recent-rules.ts";
import { inFixedOrder } from "./sort.ts";

/**
 * The rules of a context, parsed and indexed. Made by `compilePolicy`; everything but `context` and
 * `findings` is for `decide()` alone.
 */
export interface CompiledPolicy extends CompiledRules {
  readonly context: PermissionContext;
}

const compiled = new WeakMap<PermissionContext, CompiledPolicy>();

/**
 * Compiles the rules of a context; the same context object gives the same policy again.
 *
 * @throws CastellanError `invalid_rule` for a deny or ask rule of the machine's policy that cannot be read.
 * Elsewhere such a rule binds its whole tool and stands in `findings`; an allow rule that cannot be read
 * is left out and stands there too.
 */
export function compilePolicy(context: PermissionContext): CompiledPolicy {
  const known = compiled.get(context);
  if (known !== undefined) return known;
  const policy: CompiledPolicy = { context, ...recentRules(context, () => compileRules(context)) };
  compiled.set(context, policy);
  return policy;
}

/**
 * As `compilePolicy`, for a context that its caller made up and keeps: nothing is remembered here, so that it crowds
 * out no rules that sessions share.
 *
 * @throws CastellanError as `compilePolicy`.
 */
export function compileAlone(context: PermissionContext): CompiledPolicy {
  return { context, ...compileRules(context) };
}

/** As `compileAlone`, but every rule that cannot be read is a finding, also in the machine's policy. Never throws. */
export function compileGently(context: PermissionContext): CompiledPolicy {
  return { context, ...compileRules(context, gentleReporter) };
}

function compileRules(
  context: PermissionContext,
  reporterFor: (findings: Finding[]) => Reporter = strictReporter,
): CompiledRules {
  const findings: Finding[] = [];
  const named: [SourcedRule, string][] = [];
  const reporter = reporterFor(findings);
  const builders = {
    deny: setBuilder("deny", context, reporter),
    ask: setBuilder("ask", context, reporter),
    allow: setBuilder("allow", context, reporter),
  };
  for (const rule of inFixedOrder(context.rules)) {
    const toolName = place(rule, builders[rule.behavior], reporter);
    if (toolName !== undefined) named.push([rule, toolName]);
  }
  return {
    findings,
    deny: builders.deny.build(),
    ask: builders.ask.build(),
    allow: builders.allow.build(),
    named,
  };
}

/** The name of the rule's tool; undefined for a rule that cannot be read. */
function place(rule: SourcedRule, builder: SetBuilder, reporter: Reporter): string | undefined {
  const parsed = parseRule(rule.text);
  if ("error" in parsed) {
    reporter.malformed(rule, parsed.error);
    const blank = rule.text.trim() === "";
    if (rule.behavior !== "allow" && !blank) builder.addWhole(rule, parsed.toolName);
    return undefined;
  }
  const spelling = wellKnownSpelling(parsed.toolName);
  if (spelling !== undefined && spelling !== parsed.toolName)
    reporter.report(misspelt(rule, parsed.toolName, spelling));
  builder.add(rule, parsed);
  return parsed.toolName;
}

function misspelt(rule: SourcedRule, toolName: string, spelling: string): Finding {
  const effect = rule.behavior === "allow" ? "It allows nothing." : "It binds that tool all the same.";
  const mended = `${spelling}${rule.text.slice(toolName.length)}`;
  const message = `The tool is spelled ${spelling}. ${effect}`;
  return findingOf(rule, "name-case", message, mending(rule, mended, "replace"));
}
