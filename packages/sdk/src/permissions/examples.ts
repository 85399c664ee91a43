import type { PathAccess, PermissionContext, SourcedRule, Target } from "../protocol/index.ts";
import { analyse, targetsOfLine } from "../shell/index.ts";
import type { ToolFacts } from "./call.ts";
import { coverTargets } from "./cover/cover.ts";
import { gatherFacts } from "./facts/facts.ts";
import { lexicalTarget } from "./lexical.ts";
import { plainContext, plainTool } from "./plain.ts";
import { compileAlone } from "./policy/compile.ts";
import { canonicalName, familyOf, wellKnownSpelling } from "./rule/names.ts";
import { wholeAllowRule } from "./steps/allow.ts";
import { targetBinding, wholeBinding } from "./steps/binding.ts";

/** Calls that a rule must match and must not, each as text: `Bash(npm test -- -w)`, `mcp__srv__tool`. */
export interface RuleExamples {
  readonly match?: readonly string[] | undefined;
  readonly notMatch?: readonly string[] | undefined;
}

/** An example that is not as its author says, or that cannot be read. */
export interface FailingExample {
  readonly example: string;
  readonly list: "match" | "notMatch";
  /** Its place in the list, from 0. */
  readonly index: number;
  /** One sentence for a person. */
  readonly message: string;
}

/** Where the paths of rules and examples start. Absolute. */
export type ExamplePlaces = Pick<PermissionContext, "startDirectory" | "projectRoot" | "home">;

/**
 * Tries the examples of one rule, alone, and tells those that fail. An allow rule matches a call that it lets pass
 * together with what needs no rule; a deny or ask rule one that it binds for certain. No disk is looked at: nothing is
 * a link. `expires` plays no part.
 *
 * @throws CastellanError `invalid_rule` for a deny or ask rule of policySettings that cannot be read.
 */
export function failingExamples(
  rule: SourcedRule,
  examples: RuleExamples,
  places: ExamplePlaces,
): readonly FailingExample[] {
  const match = examples.match ?? [];
  const notMatch = examples.notMatch ?? [];
  if (match.length + notMatch.length === 0) return [];
  const matches = matcherOf(rule, places);
  return [
    ...match.flatMap((example, index) => failing({ example, list: "match", index }, matches)),
    ...notMatch.flatMap((example, index) => failing({ example, list: "notMatch", index }, matches)),
  ];
}

type Matcher = (call: ExampleCall) => boolean;

function failing(place: Omit<FailingExample, "message">, matches: Matcher): FailingExample[] {
  const { example, list } = place;
  const calls = readExample(example);
  if (typeof calls === "string") return [{ ...place, message: `The example cannot be read: ${calls}.` }];
  if (calls.some(matches) === (list === "match")) return [];
  return [{ ...place, message: list === "match" ? "The rule does not match it." : "The rule matches it." }];
}

function matcherOf(rule: SourcedRule, places: ExamplePlaces): Matcher {
  const { expires: _, ...timeless } = rule;
  const { startDirectory, home, projectRoot } = places;
  const policy = compileAlone(
    plainContext(startDirectory, home, { projectRoot, rules: [timeless], trusted: false }),
  );
  return ({ tool, targets }) => {
    const resolved = targets.map((target) => lexicalTarget(target, places));
    const facts = gatherFacts({ tool, input: {}, targets: resolved }, policy, 0);
    if (rule.behavior !== "allow") {
      const set = policy[rule.behavior];
      return wholeBinding(facts, set) !== undefined || targetBinding(facts, set) !== undefined;
    }
    if (wholeAllowRule(facts) !== undefined) return true;
    const cover = coverTargets(facts);
    return cover.rule !== undefined && cover.uncovered.length === 0;
  };
}

interface ExampleCall {
  readonly tool: ToolFacts;
  readonly targets: readonly Target[];
}

/** The calls that an example may mean: one, but for the name of an MCP tool that splits in several ways. */
function readExample(example: string): readonly ExampleCall[] | string {
  const text = example.trim();
  const open = text.indexOf("(");
  const written = open < 0 ? text : text.slice(0, open);
  if (written === "") return "no tool name stands in it";
  if (/[\s)]/u.test(written)) return "it is a tool name, or a tool name and brackets";
  if (open >= 0 && !text.endsWith(")")) return "`(` is never closed";
  const name = canonicalName(written);
  const content = open < 0 ? undefined : text.slice(open + 1, -1);
  if (familyOf(name) === "mcp") return content === undefined ? mcpCalls(name) : "MCP tools take no brackets";
  const targets = targetsOf(name, content);
  return typeof targets === "string" ? targets : [{ tool: factsOf(name), targets }];
}

const ACCESS: ReadonlyMap<string, PathAccess> = new Map([
  ["Grep", "walk"],
  ["Glob", "walk"],
  ["LS", "list"],
]);

function targetsOf(name: string, content: string | undefined): readonly Target[] | string {
  const family = name === "Monitor" ? "bash" : familyOf(name);
  if (family === "agent") return [{ kind: "agent", type: content?.trim() || "general-purpose" }];
  if (family === "name") return [{ kind: "name", value: content ?? name }];
  if (content === undefined || content.trim() === "") return `${name} needs something in its brackets`;
  switch (family) {
    case "bash":
      return targetsOfLine(analyse(content));
    case "read":
      return [{ kind: "path", access: ACCESS.get(name) ?? "read", path: content }];
    case "edit":
      return [{ kind: "path", access: "write", path: content }];
    case "domain":
      return hostOf(content);
    default:
      return "`*` is no tool";
  }
}

function hostOf(url: string): readonly Target[] | string {
  try {
    const { hostname } = new URL(url);
    return hostname === "" ? "its address has no host" : [{ kind: "host", host: hostname }];
  } catch {
    return "it holds no address, such as https://example.com/";
  }
}

function mcpCalls(name: string): readonly ExampleCall[] | string {
  const rest = name.slice("mcp__".length);
  const calls: ExampleCall[] = [];
  for (let at = rest.indexOf("__"); at >= 0; at = rest.indexOf("__", at + 1)) {
    const mcp = { server: rest.slice(0, at), tool: rest.slice(at + 2) };
    if (mcp.server === "" || mcp.tool === "") continue;
    const tool: ToolFacts = { ...factsOf(name), source: "mcp", mcp };
    calls.push({ tool, targets: [{ kind: "mcp", ...mcp }] });
  }
  return calls.length > 0 ? calls : "a tool of a server reads mcp__server__tool";
}

function factsOf(name: string): ToolFacts {
  const source = wellKnownSpelling(name) === name ? "builtin" : "custom";
  return plainTool(name, { source, readOnly: familyOf(name) === "read" });
}
