import assert from "node:assert/strict";
import { type CanUseTool, isCastellanError, type Options, query, tool } from "@castellan/sdk";
import { parseRule } from "@castellan/sdk/permissions";
import { analyse } from "@castellan/sdk/shell";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";

// What a user writes first: one tool of their own, one callback, one prompt.
let counted = 0;
const count = tool("count", "Counts the words of a text.", { text: "string" }, async ({ text }) => {
  counted = String(text).split(" ").length;
  return { content: [{ type: "text", text: String(counted) }] };
});
const asked: string[] = [];
const canUseTool: CanUseTool = async (name, input) => {
  asked.push(name);
  return { behavior: "allow", updatedInput: input };
};
const model = scriptedModel([
  { toolCalls: [{ name: "count", input: { text: "three small words" } }] },
  { text: "It has 3 words." },
]);
const options: Options = { model, tools: [count], canUseTool, persistSession: false };

let answer: string | undefined;
for await (const message of query({ prompt: "How many words?", options })) {
  if (message.type === "result" && message.subtype === "success") answer = message.result;
}
assert.equal(answer, "It has 3 words.");
assert.equal(counted, 3);
assert.deepEqual(asked, ["count"]);

assert.ok(parseRule("Bash(npm run test:*)"));
assert.ok(analyse("ls | wc -l"));
assert.ok(memoryStore());
assert.throws(
  () => query({ prompt: "x", options: { maxTurns: -1 } }),
  (error) => isCastellanError(error),
);
console.log("ok");
