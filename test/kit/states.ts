import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildTool,
  type CanUseTool,
  type Client,
  type Host,
  type Options,
  type PermissionMode,
  type PermissionUpdate,
  type SDKMessage,
  type SDKPermissionDenied,
} from "@castellan/sdk";
import { type ScriptedTurn, scriptedModel } from "@castellan/sdk/testing";
import fc from "fast-check";
import { ask } from "./client.ts";

/** From loose to strict: what comes of a call. */
export const VERDICTS = ["allow", "ask", "deny"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A call as the model asks for it. */
export interface Probe {
  readonly name: string;
  readonly input: Record<string, string>;
}

/** What a session begins with. */
export interface Start {
  readonly mode: PermissionMode;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly flag: Lists;
  readonly project: Lists;
  readonly danger: boolean;
}

interface Lists {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** What happens to its permissions: a person's answer to a question, or a control method. */
export type Step =
  | { readonly kind: "answer"; readonly updates: readonly PermissionUpdate[] }
  | { readonly kind: "mode"; readonly mode: PermissionMode };

const ELSEWHERE = "/var/tmp/castellan-elsewhere";

/** Each is harmless where it runs. */
export const PROBES: readonly Probe[] = [
  { name: "look", input: { at: "a" } },
  { name: "peek", input: { at: "a" } },
  { name: "peek", input: { at: "b" } },
  { name: "poke", input: { at: "a" } },
  { name: "poke", input: { at: "b" } },
  { name: "LS", input: { path: "." } },
  { name: "LS", input: { path: ELSEWHERE } },
  { name: "Glob", input: { pattern: "*.none", path: ELSEWHERE } },
  { name: "Write", input: { file_path: "new.txt", content: "x" } },
  { name: "Write", input: { file_path: "other/new.txt", content: "x" } },
];

const TEXTS = [
  ...["look", "peek", "poke", "poke(a)", "peek(b)", "peek(*)", "LS", "Write", "*"],
  ...["Edit(new.txt)", "Edit(other/**)", "Edit(./**)", `Read(/${ELSEWHERE}/**)`, "Read", "Glob"],
];
const MODES: readonly PermissionMode[] = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];

const text = fc.constantFrom(...TEXTS);
const mode = fc.constantFrom(...MODES);
const texts = (maxLength: number) => fc.uniqueArray(text, { maxLength });
const lists = fc.record({ allow: texts(2), ask: texts(1), deny: texts(1) });

/** The value of a rule's text, as updates name it. */
function ruleValue(rule: string): { toolName: string; ruleContent?: string } {
  const [, toolName = rule, ruleContent] = /^([^(]*)\((.*)\)$/.exec(rule) ?? [];
  return ruleContent === undefined ? { toolName } : { toolName, ruleContent };
}

const destination = fc.constantFrom("session" as const, "cliArg" as const);
const update: fc.Arbitrary<PermissionUpdate> = fc.oneof(
  fc.record({
    type: fc.constantFrom("addRules" as const, "replaceRules" as const, "removeRules" as const),
    rules: fc.array(text.map(ruleValue), { minLength: 1, maxLength: 2 }),
    behavior: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
    destination,
  }),
  fc.record({ type: fc.constant("setMode" as const), mode, destination: fc.constant("session" as const) }),
  fc.record({
    type: fc.constantFrom("addDirectories" as const, "removeDirectories" as const),
    directories: fc.constant([ELSEWHERE]),
    destination,
  }),
);

export const starts: fc.Arbitrary<Start> = fc.record({
  ...{ mode, allowedTools: texts(3), disallowedTools: texts(1) },
  ...{ flag: lists, project: lists, danger: fc.boolean() },
});

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("answer" as const),
      updates: fc.array(update, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("mode" as const), mode }),
  ),
  { maxLength: 3 },
);

export const probes: fc.Arbitrary<readonly Probe[]> = fc.uniqueArray(fc.constantFrom(...PROBES), {
  minLength: 3,
  maxLength: 7,
});

export const tightening = fc.record({ disallowedTools: texts(1), ask: texts(1) });

const SHAPE = { at: "string" } as const;
const done = () => ({ content: [{ type: "text" as const, text: "done" }] });
const named = { targets: ({ at }: { at?: unknown }) => [{ kind: "name" as const, value: String(at) }] };
const TOOLS = [
  buildTool({
    name: "look",
    description: "Looks.",
    inputSchema: SHAPE,
    call: done,
    isReadOnly: () => true,
    riskLevel: "low",
  }),
  buildTool({
    name: "peek",
    description: "Peeks.",
    inputSchema: SHAPE,
    call: done,
    isReadOnly: () => true,
    ...named,
  }),
  buildTool({ name: "poke", description: "Pokes.", inputSchema: SHAPE, call: done, ...named }),
  buildTool({
    ...{ name: "consent", description: "Asks the person.", inputSchema: {}, call: done },
    ...{ isReadOnly: () => true, requiresUserInteraction: () => true },
  }),
];

/** A session whose permissions change step by step, and that tells what comes of calls. */
export interface Subject {
  readonly client: Client;
  take(step: Step): Promise<void>;
  /** What comes of each call, in order, before anybody is asked. Changes nothing about the next one. */
  verdicts(calls: readonly Probe[]): Promise<Verdicts>;
}

export interface Verdicts {
  readonly of: readonly Seen[];
  /** The uuid of the last message behind them. */
  readonly lastMessage: string;
  readonly sessionId: string;
  readonly mode: PermissionMode;
}

export interface Seen {
  readonly verdict: Verdict;
  /**
   * `unasked`: it is a question that nobody is asked. `missing`: a bare deny had taken the tool away when the session
   * began, so nothing was decided.
   */
  readonly is?: "unasked" | "missing";
}

/** The options of a session that begins with `start` in `cwd`, whose project settings are written there. */
export function optionsOf(
  { mode, allowedTools, disallowedTools, flag, project, danger }: Start,
  cwd: string,
): Options {
  const folder = join(cwd, ".castellan");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ permissions: project }));
  return {
    ...{ allowedTools, disallowedTools, settings: { permissions: flag } },
    ...(danger ? { allowDangerouslySkipPermissions: true } : {}),
    permissionMode: mode === "bypassPermissions" && !danger ? "default" : mode,
  };
}

/** Where and with what every session of a case runs: nothing here allows or forbids. */
export function surroundings(cwd: string): Options {
  return { cwd, tools: [...TOOLS, "LS", "Glob", "Write"], settingSources: ["project"], trustWorkspace: true };
}

export function subject(host: Host, options: Options): Subject {
  const queue: ScriptedTurn[] = [];
  const model = scriptedModel(Array.from({ length: 100 }, () => () => queue.shift() ?? "done"));
  const asked = new Set<string>();
  let answer: readonly PermissionUpdate[] | undefined;
  const canUseTool: CanUseTool = async (_, __, { toolUseID }) => {
    if (answer !== undefined) return { behavior: "allow", updatedPermissions: [...answer] };
    asked.add(toolUseID);
    return { behavior: "deny", message: "Not now." };
  };
  const client = host.client({ ...options, model, canUseTool });

  function seen(id: string, messages: readonly SDKMessage[]): Seen {
    if (asked.has(id)) return { verdict: "ask" };
    const denial = messages.find((each) => isDenial(each) && each.tool_use_id === id);
    if (denial === undefined)
      return isMissing(id, messages) ? { verdict: "deny", is: "missing" } : { verdict: "allow" };
    const isUnasked = isDenial(denial) && denial.reason.type === "mode";
    return { verdict: "deny", ...(isUnasked ? { is: "unasked" } : {}) };
  }

  return {
    client,
    async take(step) {
      if (step.kind === "mode") return client.setPermissionMode(step.mode).catch(() => {});
      answer = step.updates;
      queue.push({ toolCalls: [{ name: "consent" }] });
      await ask(client, "May I?");
      answer = undefined;
    },
    async verdicts(calls) {
      queue.push({ toolCalls: calls.map(({ name, input }) => ({ name, input })) });
      const messages = await ask(client, "Try.");
      const ids = messages.flatMap((each) =>
        each.type === "assistant"
          ? each.message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
          : [],
      );
      const last = messages.findLast((each) => each.type === "assistant");
      const [{ session_id: sessionId = "" } = {}] = messages;
      const info = await host.sessions.info(sessionId);
      return {
        of: ids.map((id) => seen(id, messages)),
        ...{ lastMessage: last?.uuid ?? "", sessionId, mode: info?.permissionMode ?? "default" },
      };
    },
  };
}

function isDenial(message: SDKMessage): message is SDKPermissionDenied {
  return message.type === "system" && message.subtype === "permission_denied";
}

function isMissing(id: string, messages: readonly SDKMessage[]): boolean {
  return messages.some((each) => {
    if (each.type !== "user" || !Array.isArray(each.message.content)) return false;
    const [block] = each.message.content;
    return (
      block?.type === "tool_result" && block.tool_use_id === id && /No such tool/.test(JSON.stringify(block))
    );
  });
}
