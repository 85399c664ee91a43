import {
  type CheckAnswer,
  type Decision,
  type PathAccess,
  type PathResolution,
  PERMISSION_RULE_SOURCES,
  type PermissionContext,
  type ResolvedPathTarget,
  type ResolvedTarget,
  type RuleBehavior,
  type RuleSource,
  type SourcedRule,
  type Target,
} from "../protocol/index.ts";
import { analyse, targetsOfLine } from "../shell/index.ts";
import type { DecideCall, HookEffect, ToolFacts } from "./call.ts";
import { decide } from "./decide.ts";
import { plainContext, plainTool } from "./plain.ts";
import { compilePolicy } from "./policy/compile.ts";

// For tests: contexts, tools and targets without a disk. Nothing is a link, and only what is named exists.

export const START = "/w/proj";
export const HOME = "/home/u";
export const NOW = 1_700_000_000_000;

export function rule(text: string, behavior: RuleBehavior, source: RuleSource = "session"): SourcedRule {
  return { text, behavior, source };
}

export interface Rules {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

function rulesOf(rules: Rules, source: RuleSource = "session"): SourcedRule[] {
  const of = (behavior: RuleBehavior): SourcedRule[] =>
    (rules[behavior] ?? []).map((text) => rule(text, behavior, source));
  return [...of("allow"), ...of("deny"), ...of("ask")];
}

export function contextOf(rules: Rules = {}, over: Partial<PermissionContext> = {}): PermissionContext {
  return plainContext(START, HOME, { rules: rulesOf(rules), ...over });
}

const READERS = ["Read", "Glob", "Grep", "LS"];

export function toolOf(name: string, over: Partial<ToolFacts> = {}): ToolFacts {
  return plainTool(name, { readOnly: READERS.includes(name), ...over });
}

function clean(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function resolution(path: string, over: Partial<PathResolution> = {}): PathResolution {
  const given = clean(path);
  const real = over.real ?? given;
  const within = (form: string): boolean => form === START || form.startsWith(`${START}/`);
  return { given, real, hops: [], exists: true, inside: within(given) && within(real), ...over };
}

export function pathTarget(
  access: PathAccess,
  path: string,
  over: Partial<ResolvedPathTarget> = {},
): ResolvedPathTarget {
  const full = path.startsWith("/") ? path : `${START}/${path}`;
  return { kind: "path", access, path, resolutions: [resolution(full)], ...over };
}

/** A declared path, resolved without a disk as the workspace would: a pattern by what stands before it. */
function resolved(target: Target): ResolvedTarget {
  if (target.kind === "command") return { ...target, repository: START };
  if (target.kind !== "path") return target;
  if (target.unknown) return { ...target, resolutions: [] };
  const plain = target.glob ? literalStart(target.path) : target.path;
  const resolutions = (target.from ?? [""]).map((from) => {
    const start = absolute(from, START);
    return resolution(absolute(plain, start));
  });
  return { ...target, resolutions };
}

function absolute(path: string, start: string): string {
  const home = path.replace(/^~(?=\/|$)/, HOME);
  return home.startsWith("/") ? home : `${start}/${home}`;
}

function literalStart(pattern: string): string {
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[]/.test(part.replace(/\\./g, "")));
  return parts.slice(0, wild).join("/").replace(/\\(.)/g, "$1");
}

function bashTargets(line: string): ResolvedTarget[] {
  return targetsOfLine(analyse(line)).map(resolved);
}

interface CallExtras {
  readonly check?: CheckAnswer | { readonly failed: string };
  readonly hooks?: HookEffect;
}

export function bashCall(line: string, over: Partial<ToolFacts> = {}, extras: CallExtras = {}): DecideCall {
  return { tool: toolOf("Bash", over), input: { command: line }, targets: bashTargets(line), ...extras };
}

const ACCESS: Readonly<Record<string, PathAccess>> = { Read: "read", Grep: "walk", Glob: "walk", LS: "list" };

export function fileCall(tool: string, path: string, over: Partial<ResolvedPathTarget> = {}): DecideCall {
  const access = ACCESS[tool] ?? "write";
  const filtered = access === "walk" || access === "list" ? { filtered: true as const } : {};
  const target = pathTarget(access, path, { ...filtered, ...over });
  return { tool: toolOf(tool), input: { file_path: path }, targets: [target] };
}

export function decided(call: DecideCall, context: PermissionContext, now: number = NOW): Decision {
  return decide(call, compilePolicy(context), now);
}

/** The answer alone. */
export function answer(call: DecideCall, rules: Rules = {}, over: Partial<PermissionContext> = {}): string {
  return decided(call, contextOf(rules, over)).behavior;
}

export const SOURCES: readonly RuleSource[] = PERMISSION_RULE_SOURCES;
