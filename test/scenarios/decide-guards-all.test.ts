import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createHost,
  type JsonObject,
  type Options,
  type PermissionResult,
  type PermissionUpdate,
  type SDKUserMessageOut,
  tool,
} from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { live } from "../kit/live.ts";
import { countingPlatform, createOracle } from "../kit/oracle.ts";
import { resultText, scratch } from "../kit/session.ts";
import { runs } from "../setup/runs.ts";

const CALLS_A_RUN = 5;

type Kind = "bash" | "write" | "read" | "mark" | "peek";
interface Call {
  readonly kind: Kind;
  /** Which command or path, of those of the kind. */
  readonly which: number;
  readonly answer: "allow" | "deny" | "edit" | "remember" | "loosen";
}
interface World {
  readonly lists: Readonly<Record<"allowed" | "disallowed" | "allow" | "deny" | "ask", readonly string[]>>;
  readonly mode: NonNullable<Options["permissionMode"]>;
  readonly danger: boolean;
  readonly asks: boolean;
  readonly hook: "none" | "allow" | "ask" | "deny";
  readonly calls: readonly Call[];
}

const RULES = [
  ...[
    "Bash",
    "Bash(touch:*)",
    "Bash(touch m*)",
    "Bash(mkdir:*)",
    "Bash(rm:*)",
    "Bash(cat:*)",
    "Bash(echo *)",
  ],
  ...["Write", "Edit", "Edit(**)", "Edit(sub/**)", "Edit(.git/**)", "Write(sub/w*)", "Edit(*.txt)"],
  ...["Read", "Read(secret.txt)", "Read(sub/**)", "Read(**)", "Read(//**)"],
  ...["mark", "peek", "*", "Bash(", "Nope", "Bash(touch m0 && touch n0)"],
];

const commandAt = (which: number, at: number, outside: string): string =>
  [
    `touch m${at}`,
    `touch m${at} && touch n${at}`,
    `touch sub/m${at}`,
    `mkdir d${at}`,
    `echo hello > e${at}.txt`,
    `echo $(touch s${at})`,
    `rm -f gone${at}`,
    "cat secret.txt",
    `touch ${outside}/o${at}`,
    `touch .git/m${at}`,
    `env FOO=1 touch v${at}`,
    `echo $UNSET_${at}; touch u${at}`,
  ][which % 12] ?? "";

const WRITES = ["w.txt", "sub/w.txt", ".git/w"];
const READS = ["secret.txt", "sub/open.txt", ".git/config"];

/** Each write has a file of its own: whether it is there tells whether the call ran. */
const writeAt = (which: number, at: number, cwd: string, outside: string): string =>
  `${join(...(which % 4 === 3 ? [outside, "w.txt"] : [cwd, WRITES[which % 4] ?? ""]))}${at}`;
const readAt = (which: number, cwd: string, outside: string): string =>
  which % 4 === 3 ? join(outside, "far.txt") : join(cwd, READS[which % 4] ?? "");

function inputOf(
  call: Call,
  at: number,
  cwd: string,
  outside: string,
): { readonly name: string; readonly input: JsonObject } {
  switch (call.kind) {
    case "bash":
      return { name: "Bash", input: { command: commandAt(call.which, at, outside) } };
    case "write":
      return {
        name: "Write",
        input: { file_path: writeAt(call.which, at, cwd, outside), content: "x" },
      };
    case "read":
      return { name: "Read", input: { file_path: readAt(call.which, cwd, outside) } };
    default:
      return { name: call.kind, input: { n: call.which } };
  }
}

const list = fc.array(fc.constantFrom(...RULES), { maxLength: 3 });
const world: fc.Arbitrary<World> = fc.record({
  lists: fc.record({
    allowed: list,
    disallowed: fc.array(fc.constantFrom(...RULES), { maxLength: 1 }),
    allow: list,
    deny: fc.array(fc.constantFrom(...RULES), { maxLength: 1 }),
    ask: fc.array(fc.constantFrom(...RULES), { maxLength: 1 }),
  }),
  mode: fc.constantFrom("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "yolo"),
  danger: fc.boolean(),
  asks: fc.boolean(),
  hook: fc.constantFrom("none", "none", "none", "allow", "ask", "deny"),
  calls: fc.array(
    fc.record({
      kind: fc.constantFrom<Kind>("bash", "bash", "write", "read", "mark", "peek"),
      which: fc.nat({ max: 11 }),
      answer: fc.constantFrom("allow", "deny", "edit", "remember", "loosen"),
    }),
    { minLength: CALLS_A_RUN, maxLength: CALLS_A_RUN },
  ),
});

const REMEMBERED: PermissionUpdate = {
  ...{ type: "addRules", behavior: "allow", destination: "session" },
  rules: [{ toolName: "Bash", ruleContent: "touch:*" }],
};
const LOOSENED: PermissionUpdate = { type: "setMode", mode: "acceptEdits", destination: "session" };

/** What came of one call, by its effects, and what it should have been. */
interface Verdict {
  readonly what: string;
  readonly ran: boolean;
  readonly may: boolean;
  readonly told: string | undefined;
}

async function play({ lists, mode, danger, asks, hook, calls }: World): Promise<Verdict[]> {
  const [cwd, outside] = [scratch(), scratch()];
  for (const folder of ["sub", ".git"]) mkdirSync(join(cwd, folder));
  writeFileSync(join(cwd, "secret.txt"), "TOKEN-secret");
  writeFileSync(join(cwd, "sub/open.txt"), "TOKEN-open");
  writeFileSync(join(cwd, ".git/config"), "TOKEN-config");
  writeFileSync(join(outside, "far.txt"), "TOKEN-far");
  const effects: number[] = [];
  const note = (): { content: { type: "text"; text: string }[] } => {
    effects.push(1);
    return { content: [{ type: "text", text: "ok" }] };
  };
  const mark = tool("mark", "Marks.", { n: "integer" }, note);
  const peek = tool("peek", "Peeks.", { n: "integer" }, note, {
    riskLevel: "low",
    annotations: { readOnlyHint: true },
  });
  const isBypass = mode === "yolo" || mode === "bypassPermissions";
  const options: Options = {
    cwd,
    tools: ["Bash", "Write", "Read", mark, peek],
    allowedTools: lists.allowed,
    // A bare name there takes the tool out of sight; here calls are to be decided.
    settings: { permissions: { allow: lists.allow, deny: lists.deny.filter(isNarrow), ask: lists.ask } },
    disallowedTools: lists.disallowed.filter(isNarrow),
    permissionMode: isBypass && !danger ? "default" : mode,
    allowDangerouslySkipPermissions: danger,
  };
  const oracle = await createOracle(cwd, options);
  const effect = hook === "none" ? undefined : { behavior: hook, reason: "a hook" };
  const verdicts: Verdict[] = [];
  const counter = countingPlatform();
  const before = { spawned: 0, effects: 0 };
  let expected = false;
  let asked: Call["answer"] | undefined;

  const made = calls.map((call, at) => ({ call, ...inputOf(call, at, cwd, outside) }));

  /** By what is there now, not by what anybody says. */
  function hasRun(at: number): boolean {
    const one = made[at];
    if (one === undefined) return false;
    if (one.call.kind === "bash") return counter.spawned() > before.spawned;
    if (one.call.kind === "write") return existsSync(String(one.input.file_path));
    if (one.call.kind === "read") return texts()[at]?.includes("TOKEN-") === true;
    return effects.length > before.effects;
  }
  const users = (): SDKUserMessageOut[] => session.messages.filter((message) => message.type === "user");
  const texts = (): string[] => users().map(resultText);

  async function conclude(at: number): Promise<void> {
    const one = made[at];
    if (one === undefined) return;
    await session.until(() => users().length > at);
    const what = `${one.name} ${JSON.stringify(one.input)} (asked: ${asked ?? "no"})`;
    verdicts.push({ what, ran: hasRun(at), may: expected, told: users()[at]?.permission_decision?.behavior });
    // What a person's answer changed holds from the next call on, where the call itself was let through.
    if (asked === "remember" || asked === "loosen")
      oracle.update([asked === "remember" ? REMEMBERED : LOOSENED]);
  }

  const step = (at: number) => async (): Promise<Exclude<ScriptStep, (...args: never[]) => unknown>> => {
    await conclude(at - 1);
    const one = made[at];
    if (one === undefined) return "done";
    Object.assign(before, { spawned: counter.spawned(), effects: effects.length });
    asked = undefined;
    const said = await oracle.ask(one.name, one.input, effect);
    const isAsk = said === "ask" && asks;
    // An edit is decided again: here it takes the harmless way out, which no rule of a deny may forbid.
    const edited = one.call.answer === "edit" ? await oracle.ask(one.name, editOf(one, at), effect) : "allow";
    expected =
      said === "allow" || (isAsk && one.call.answer !== "deny" && edited !== "deny" && edited !== "invalid");
    return { toolCalls: [{ id: `c${at}`, name: one.name, input: one.input }] };
  };

  const canUseTool: NonNullable<Options["canUseTool"]> = (_name, _input, { toolUseID }): PermissionResult => {
    const at = Number(toolUseID.slice(1));
    const one = made[at];
    if (one === undefined) return { behavior: "deny", message: "unknown call" };
    asked = one.call.answer;
    if (asked === "deny") return { behavior: "deny", message: "no" };
    if (asked === "edit") return { behavior: "allow", updatedInput: editOf(one, at) };
    if (asked === "remember") return { behavior: "allow", updatedPermissions: [REMEMBERED] };
    if (asked === "loosen") return { behavior: "allow", updatedPermissions: [LOOSENED] };
    return { behavior: "allow" };
  };

  const hooks: Options["hooks"] = {
    PreToolUse: [
      {
        hooks: [
          () => ({
            hookSpecificOutput: {
              ...{ hookEventName: "PreToolUse", permissionDecisionReason: "a hook" },
              ...(hook === "none" ? {} : { permissionDecision: hook }),
            },
          }),
        ],
      },
    ],
  };
  const session = live(
    "go",
    {
      ...options,
      model: scriptedModel([...made.map((_, at) => step(at)), step(made.length)]),
      platform: counter.platform,
      hooks,
      ...(asks ? { canUseTool } : {}),
    },
    createHost({ store: memoryStore() }),
  );
  expect(await session.ended).toBeUndefined();
  assertComplete(session.messages);
  expect(session.results()).toMatchObject([{ subtype: "success" }]);
  expect(verdicts).toHaveLength(made.length);
  return verdicts;
}

const isNarrow = (rule: string): boolean => rule.includes("(");

/** The same call with another object of the same kind. */
function editOf({ call, input }: { call: Call; input: JsonObject }, at: number): JsonObject {
  if (call.kind === "bash") return { command: `touch edited${at}` };
  if (call.kind === "write") return { ...input, content: "edited" };
  return input;
}

describe("decide() stands before every call", () => {
  it("nothing runs that an independent decide() did not allow, and everything runs that it did", {
    timeout: 300_000,
  }, async () => {
    const seen = { ran: 0, refused: 0 };
    const numRuns = Math.ceil(Math.max(200, runs) / CALLS_A_RUN);
    await fc.assert(
      fc.asyncProperty(world, async (one) => {
        for (const { what, ran, may, told } of await play(one)) {
          // First the promise: no effect without a yes.
          if (ran && !may) throw new Error(`It ran and was not allowed: ${what}`);
          // Then the other side, so that the promise is not kept by doing nothing.
          if (told !== undefined) expect(`${told} ${what}`).toBe(`${may ? "allow" : "deny"} ${what}`);
          seen[ran ? "ran" : "refused"] += 1;
        }
      }),
      { numRuns },
    );
    expect(seen.ran + seen.refused).toBe(numRuns * CALLS_A_RUN);
    expect(Math.min(seen.ran, seen.refused)).toBeGreaterThan(numRuns / 2);
  });
});
