// @ts-check
// A hook that stands in the way of `rm -rf`, also where commands are allowed. It sees calls before anything is decided.
//
//   node examples/hook-blocks-rm.mjs
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineHook, query } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const folder = await mkdtemp(join(tmpdir(), "hook-"));
await mkdir(join(folder, "photos"));
await writeFile(join(folder, "photos", "cat.txt"), "a cat\n");
await writeFile(join(folder, "old.log"), "yesterday\n");

// `if` takes the command line apart: rm behind `&&`, behind sudo and in a subshell counts too. One file without options
// may go. A hook tells the model what to do instead; what must never happen belongs into a deny rule: "Bash(rm:*)".
const noDeletingOfFolders = defineHook("PreToolUse", { if: "Bash(rm:*)" }, ({ tool_input }) => {
  if (/^rm [\w./]+$/.test(String(tool_input.command))) return {};
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "Whole folders are not deleted here. Name the files.",
    },
  };
});

// The script stands for a model, as long as no other is named.
const script = scriptedModel([
  { toolCalls: [{ name: "Bash", input: { command: "rm -rf photos" } }] },
  { toolCalls: [{ name: "Bash", input: { command: "true && (rm -f --recursive photos)" } }] },
  { toolCalls: [{ name: "Bash", input: { command: "rm old.log" } }] },
  "old.log is gone. Folders I may not delete.",
]);

const messages = [];
for await (const message of query({
  prompt: "Free some space.",
  options: {
    model: process.env.CASTELLAN_MODEL ?? script,
    cwd: folder,
    tools: ["Bash"],
    allowedTools: ["Bash"],
    hooks: { PreToolUse: [noDeletingOfFolders] },
    persistSession: false,
  },
})) {
  messages.push(message);
}
console.log(transcript(messages));
console.log(`Left: ${(await readdir(folder, { recursive: true })).sort().join(", ")}`);
