// @ts-check
// How to test a tool of your own, without a model and without a network: alone, and through a whole session.
//
//   node --test examples/offline-test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { invokeTool, query, tool } from "@castellan/sdk";
import { expectTranscript, scriptedModel } from "@castellan/sdk/testing";

/** @type {string[]} */
const notes = [];
const addNote = tool("add_note", "Writes a note down.", { text: "string" }, ({ text }) => {
  notes.push(text);
  return { success: true, output: `${notes.length} notes` };
});

test("the handler", async () => {
  notes.length = 0;
  assert.deepEqual(await invokeTool(addNote, { text: "milk" }), { success: true, output: "1 notes" });
  assert.deepEqual(notes, ["milk"]);
});

test("an input that does not fit never reaches it", async () => {
  notes.length = 0;
  const result = await invokeTool(addNote, { txet: "milk" });
  assert.ok("isError" in result && result.isError);
  assert.deepEqual(notes, []);
});

test("a session calls it, and the model reads what it said", async () => {
  notes.length = 0;
  const model = scriptedModel([{ toolCalls: [{ name: "add_note", input: { text: "milk" } }] }, "Noted."]);
  const messages = [];
  for await (const message of query({
    prompt: "Note: milk.",
    options: { model, tools: [addNote], allowedTools: ["add_note"], persistSession: false },
  })) {
    messages.push(message);
  }
  assert.deepEqual(notes, ["milk"]);
  assert.match(JSON.stringify(model.requests[1]?.messages), /1 notes/);
  expectTranscript(
    messages,
    `
    init scripted [add_note] default
    call add_note {"text":"milk"}
    result add_note: 1 notes
    assistant: Noted.
    done success (2 turns): Noted.
    `,
  );
});
