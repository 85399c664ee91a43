import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Options, tool } from "@castellan/sdk";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { expect } from "vitest";
import { gate, type Live, silence, streaming } from "./live.ts";
import { resultText, scratch } from "./session.ts";

/** Where a session stands when it is stopped, in each of the states that it can be in. */
export interface Stand {
  readonly options: Options;
  /** Resolves when the state is reached. */
  readonly there: Promise<void>;
  /** No side effect of the call may be seen. */
  readonly marker?: string;
}

/** The stand of one name. */
export function standAt(name: string): Stand {
  const make = STANDS.find(([other]) => other === name)?.[1];
  if (make === undefined) throw new Error(`There is no stand "${name}".`);
  return make();
}

export const STANDS: readonly (readonly [string, () => Stand])[] = [
  [
    "the model has not answered yet",
    () => {
      const door = gate();
      return {
        options: { model: scriptedModel([() => door.wait().then(() => "late"), "again"]) },
        there: door.reached,
      };
    },
  ],
  [
    "the model streams",
    () => {
      const door = gate();
      const model = streaming(async function* (request) {
        if (request > 1) {
          yield { type: "text", delta: "again" };
          yield { type: "finish", stopReason: "end_turn" };
          return;
        }
        yield { type: "text", delta: "half a sentence" };
        void door.wait();
        await silence();
      });
      return { options: { model }, there: door.reached };
    },
  ],
  [
    "a tool runs that ignores its signal",
    () => {
      const door = gate();
      const wait = tool("wait", "Waits.", {}, () => door.wait().then(silence), {
        riskLevel: "low",
        version: "1.0.0",
      });
      const model = scriptedModel([{ toolCalls: [{ name: "wait" }, { name: "wait" }] }, "again"]);
      return { options: { model, tools: [wait], allowedTools: ["wait"] }, there: door.reached };
    },
  ],
  [
    "a command runs",
    () => {
      const cwd = scratch();
      const begun = join(cwd, "begun");
      const there = (async () => {
        while (!existsSync(begun)) await new Promise((resolve) => setTimeout(resolve, 5));
      })();
      const command = "touch begun; sleep 60; touch marker";
      const model = scriptedModel([{ toolCalls: [{ name: "Bash", input: { command } }] }, "again"]);
      return { options: { model, cwd, allowedTools: ["Bash"] }, there, marker: join(cwd, "marker") };
    },
  ],
  [
    "canUseTool waits",
    () => {
      const door = gate();
      const cwd = scratch();
      const model = scriptedModel([
        { toolCalls: [{ name: "Bash", input: { command: "touch marker" } }] },
        "again",
      ]);
      const canUseTool: Options["canUseTool"] = () => door.wait().then(silence);
      return { options: { model, cwd, canUseTool }, there: door.reached, marker: join(cwd, "marker") };
    },
  ],
  [
    "a hook waits",
    () => {
      const door = gate();
      const cwd = scratch();
      const model = scriptedModel([
        { toolCalls: [{ name: "Bash", input: { command: "touch marker" } }] },
        "again",
      ]);
      const hooks: Options["hooks"] = { PreToolUse: [{ hooks: [() => door.wait().then(silence)] }] };
      const options: Options = { model, cwd, hooks, allowedTools: ["Bash"] };
      return { options, there: door.reached, marker: join(cwd, "marker") };
    },
  ],
];

/** Every call has its one result, with a text, and nothing has happened that should not. */
export function checkStand(session: Live, stand: Stand): void {
  assertComplete(session.messages);
  if (stand.marker !== undefined) expect(existsSync(stand.marker)).toBe(false);
  for (const message of session.messages) {
    if (message.type === "user") expect(resultText(message)).toMatch(/\S/);
  }
}
