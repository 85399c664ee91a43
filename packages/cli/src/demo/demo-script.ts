// The demo's model: a script that answers from what has happened so far, as a model would.
// Built as a module of its own for `scripted:<file>`; it works on the project that scratch.ts lays out.
import type { JsonObject } from "@castellan/sdk";
import type { ScriptedToolCall, ScriptedTurn, ScriptStep } from "@castellan/sdk/testing";

type Request = Parameters<Extract<ScriptStep, (request: never) => unknown>>[0];

interface PastCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly failed: boolean;
  /** The process ended while it ran. */
  readonly unknown: boolean;
  readonly text: string;
}

/** Every tool call of the history with its result, oldest first. */
function pastCalls(request: Request): readonly PastCall[] {
  const results = new Map<string, Pick<PastCall, "failed" | "unknown" | "text">>();
  for (const message of request.messages) {
    if (message.role !== "tool") continue;
    for (const part of message.parts) {
      const text = part.content.map((piece) => (piece.type === "text" ? piece.text : "")).join("\n");
      const unknown = part.isError === true && text.startsWith("Outcome unknown");
      results.set(part.callId, { failed: part.isError === true, unknown, text });
    }
  }
  return request.messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.parts.flatMap((part) => {
      const result = part.type === "toolCall" ? results.get(part.id) : undefined;
      if (part.type !== "toolCall" || result === undefined) return [];
      return [{ name: part.name, input: part.input as JsonObject, ...result }];
    });
  });
}

const call = (text: string, ...toolCalls: ScriptedToolCall[]): ScriptedTurn => ({ text, toolCalls });
const runTests = { name: "Bash", input: { command: "node --test", description: "Run the tests" } };

const isRead = (past: PastCall): boolean => past.name === "Read";

/** The next answer, whatever was allowed, denied or cut short on the way here. */
function next(request: Request): ScriptedTurn | string {
  const calls = pastCalls(request);
  const made = (name: string, fits: (input: JsonObject) => boolean = () => true): readonly PastCall[] =>
    calls.filter((each) => each.name === name && fits(each.input));
  const testRuns = made("Bash", (input) => input.command === "node --test").filter((each) => !each.unknown);
  const [before] = testRuns;
  const [secret] = made("Bash", (input) => input.command === "cat .env");
  const example = made("Read", (input) => input.file_path === ".env.example");
  const edit = made("Edit").at(-1);
  const look = edit?.unknown === true ? calls.slice(calls.indexOf(edit)).find(isRead) : undefined;

  if (before === undefined) return call("I'll run the tests first, to see what fails.", runTests);
  if (made("Grep").length === 0) {
    return call("One test fails. I'll find where free shipping is decided.", {
      name: "Grep",
      input: { pattern: "shippingCost", output_mode: "content", "-n": true },
    });
  }
  if (made("Read").length === 0) {
    return call(
      "I'll read the function and its test side by side.",
      { name: "Read", input: { file_path: "src/shipping.js" } },
      { name: "Read", input: { file_path: "test/shipping.test.js" } },
    );
  }
  if (secret === undefined) {
    return call("The threshold comes from the environment. I'll look at what is set.", {
      name: "Bash",
      input: { command: "cat .env", description: "Show the settings" },
    });
  }
  if (secret.failed && example.length === 0) {
    return call("I may not read .env. The documented defaults will do.", {
      name: "Read",
      input: { file_path: ".env.example" },
    });
  }
  if (edit?.unknown === true && look === undefined) {
    return call("My edit was cut short. I'll look whether it took.", {
      name: "Read",
      input: { file_path: "src/shipping.js" },
    });
  }
  if (edit === undefined || look?.text.includes("total > freeFrom") === true) {
    return call("The comparison leaves out the threshold itself: `>` should be `>=`.", {
      name: "Edit",
      input: {
        file_path: "src/shipping.js",
        old_string: "return total > freeFrom ? 0 : 5;",
        new_string: "return total >= freeFrom ? 0 : 5;",
      },
    });
  }
  if (edit.failed && !edit.unknown)
    return `I changed nothing, so the test still fails. The answer to my edit was: ${edit.text}`;
  const after = testRuns.find((each) => calls.indexOf(each) > calls.indexOf(edit));
  if (after === undefined) return call("Now the tests again.", runTests);
  if (after.failed) return `The tests still fail after the edit:\n${after.text}`;
  if (made("log_fix").length === 0) {
    return call("Green. I'll note the fix with the project's own tool.", {
      name: "log_fix",
      input: { file: "src/shipping.js", summary: "An order of exactly the threshold ships free." },
    });
  }
  const ending = secret.failed ? " .env was never read." : "";
  return `Fixed: an order of exactly the threshold ships free.${ending}`;
}

/** As many turns as any way through needs, and some to spare. */
export const turns: readonly ScriptStep[] = Array.from({ length: 16 }, () => next);
