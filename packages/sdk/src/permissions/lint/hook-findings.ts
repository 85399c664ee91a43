import { HOOK_EVENTS, LATER_HOOK_EVENTS, nearestName } from "../../protocol/index.ts";
import { FINDING_CODES, type FindingCode } from "../policy/finding-codes.ts";
import { canonicalName, WELL_KNOWN_TOOLS, wellKnownSpelling } from "../rule/names.ts";
import type { LintFinding, LintHooks } from "./types.ts";

type Path = readonly (string | number)[];

interface HookWorld {
  readonly hooks: LintHooks;
  readonly toolNames: ReadonlySet<string>;
  readonly matcherFault: ((matcher: string) => string | undefined) | undefined;
}

/** Events that are about a tool. Others have no matcher; those that do not fire here may have one of their own words. */
const OF_TOOLS: ReadonlySet<string> = new Set([
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"],
]);
const WITHOUT_MATCHER: ReadonlySet<string> = new Set(HOOK_EVENTS.filter((event) => !OF_TOOLS.has(event)));
/** Seconds. Nobody waits so long for a hook. */
const LONG_TIMEOUT = 1000;

/** What is wrong with the hooks of a file: events that never come, matchers that match no tool. */
export function hookFindings(
  hooks: LintHooks,
  toolNames: ReadonlySet<string>,
  matcherFault: HookWorld["matcherFault"],
): LintFinding[] {
  if (hooks.value === undefined) return [];
  const world: HookWorld = { hooks, toolNames, matcherFault };
  if (!isObject(hooks.value)) {
    return [found(world, "hook-shape", "hooks", [], "`hooks` is no object of events.")];
  }
  return Object.entries(hooks.value).flatMap(([event, list]) => ofEvent(world, event, list));
}

function ofEvent(world: HookWorld, event: string, list: unknown): LintFinding[] {
  const findings: LintFinding[] = [];
  const known = HOOK_EVENTS.some((name) => name === event);
  if (!known && LATER_HOOK_EVENTS.includes(event)) {
    const message = `This release does not fire ${event}: the hook never runs.`;
    findings.push(found(world, "hook-event", event, [event], message, { severity: "warning" }));
  } else if (!known) {
    findings.push(unknownEvent(world, event));
  }
  if (!Array.isArray(list)) {
    return [
      ...findings,
      found(world, "hook-shape", event, [event], `${event} is no list of { matcher, hooks }.`),
    ];
  }
  return [...findings, ...list.flatMap((entry, index) => ofEntry(world, event, entry, [event, index]))];
}

function unknownEvent(world: HookWorld, event: string): LintFinding {
  const isTool = wellKnownSpelling(event) !== undefined;
  const near = isTool ? undefined : nearestName(event, [...HOOK_EVENTS, ...LATER_HOOK_EVENTS]);
  const hint = isTool
    ? ` It is a tool: write it as the matcher of PreToolUse.`
    : near === undefined
      ? ` Events are ${HOOK_EVENTS.join(", ")}.`
      : "";
  const fix = near === undefined ? {} : { fix: near };
  return found(world, "hook-event", event, [event], `No hook event is called ${event}.${hint}`, fix);
}

function ofEntry(world: HookWorld, event: string, entry: unknown, path: Path): LintFinding[] {
  if (!isObject(entry) || !Array.isArray(entry.hooks)) {
    return [found(world, "hook-shape", event, path, "The entry is no { matcher, hooks: [ … ] }.")];
  }
  return [...ofMatcher(world, event, entry.matcher, path), ...ofTimeouts(world, event, entry.hooks, path)];
}

function ofMatcher(world: HookWorld, event: string, matcher: unknown, path: Path): LintFinding[] {
  if (matcher === undefined || matcher === "" || matcher === "*") return [];
  if (typeof matcher !== "string") {
    return [found(world, "hook-matcher", event, path, "The matcher is no text.")];
  }
  if (WITHOUT_MATCHER.has(event)) {
    if (matcher === ".*") return [];
    const message = `${event} is about no tool: leave the matcher out.`;
    return [found(world, "hook-matcher", matcher, path, message, { severity: "warning" })];
  }
  if (!OF_TOOLS.has(event)) return [];
  const why = whyNever(world, matcher);
  return why === undefined ? [] : [found(world, "hook-matcher", matcher, path, why.message, why)];
}

interface Never {
  readonly message: string;
  readonly severity?: LintFinding["severity"];
  readonly fix?: string;
}

const LIST = /^[A-Za-z0-9_|,\s]+$/u;

function whyNever({ toolNames, matcherFault }: HookWorld, matcher: string): Never | undefined {
  const rule = /^\s*([A-Za-z_]+)\([^|]*\)\s*$/u.exec(matcher.slice(0, 1000));
  const tool = rule === null ? undefined : wellKnownSpelling(rule[1] ?? "");
  if (tool !== undefined) {
    const message = `The matcher is a permission rule. It is compared with the tool's name: write ${tool}, and the rule as \`if\`.`;
    return { message, fix: tool };
  }
  if (!LIST.test(matcher)) {
    const fault = matcherFault?.(matcher);
    return fault === undefined ? undefined : { message: `The matcher cannot be used: ${fault}.` };
  }
  const names = matcher.split(/[|,]/u).map((name) => name.trim());
  if (names.some((name) => name === "")) return { message: "The list of names holds an empty one." };
  if (names.some((name) => /\s/u.test(name)))
    return { message: "Names in a list are parted by | or a comma." };
  const wrong = names.find((name) => !isTool(name, toolNames));
  return wrong === undefined ? undefined : unknownTool(wrong, names, matcher, toolNames);
}

function isTool(name: string, toolNames: ReadonlySet<string>): boolean {
  if (name.startsWith("mcp__")) return name.length > "mcp__".length;
  return toolNames.has(name) || WELL_KNOWN_TOOLS.includes(name) || canonicalName(name) !== name;
}

function unknownTool(
  name: string,
  names: readonly string[],
  matcher: string,
  toolNames: ReadonlySet<string>,
): Never {
  if (name === "mcp__") {
    const message = "`mcp__` alone names no server.";
    return names.length === 1 ? { message, fix: "mcp__.*" } : { message };
  }
  const near = wellKnownSpelling(name) ?? nearestName(name, [...WELL_KNOWN_TOOLS, ...toolNames]);
  const message = `No tool is called ${name}. Matchers go by the exact name.`;
  // Another name of the list may still match.
  const severity = names.length > 1 ? { severity: "warning" as const } : {};
  return near === undefined
    ? { message, ...severity }
    : { message, ...severity, fix: matcher.replace(name, () => near) };
}

function ofTimeouts(world: HookWorld, event: string, hooks: readonly unknown[], path: Path): LintFinding[] {
  return hooks.flatMap((hook, index) => {
    const timeout = isObject(hook) ? hook.timeout : undefined;
    if (typeof timeout !== "number" || timeout < LONG_TIMEOUT) return [];
    const message = `A timeout of ${timeout} seconds: it is not in milliseconds.`;
    return [found(world, "hook-timeout", event, [...path, "hooks", index], message)];
  });
}

function found(
  { hooks }: HookWorld,
  code: FindingCode,
  rule: string,
  path: Path,
  message: string,
  over: Pick<Never, "severity" | "fix"> = {},
): LintFinding {
  const line = hooks.line?.(path);
  return {
    code,
    severity: over.severity ?? FINDING_CODES[code].binds,
    rule,
    list: "hooks",
    source: hooks.source,
    ...(hooks.file === undefined ? {} : { file: hooks.file }),
    ...(line === undefined ? {} : { line }),
    message,
    ...(over.fix === undefined ? {} : { fix: over.fix }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
