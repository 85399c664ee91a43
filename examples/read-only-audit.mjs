// @ts-check
// An audit that may look at everything in one folder and change nothing: the model has three tools, all of which read.
//
//   node examples/read-only-audit.mjs
import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const folder = await mkdtemp(join(tmpdir(), "audit-"));
await writeFile(join(folder, "mail.js"), 'export const password = "hunter2";\n');
await writeFile(join(folder, "shop.js"), 'import { password } from "./mail.js";\n');

// The script stands for a model, as long as no other is named. In its third turn it tries to write.
const script = scriptedModel([
  { toolCalls: [{ name: "Glob", input: { pattern: "**/*.js" } }] },
  { toolCalls: [{ name: "Grep", input: { pattern: "password =", output_mode: "content" } }] },
  { toolCalls: [{ name: "Write", input: { file_path: "mail.js", content: "// clean\n" } }] },
  "mail.js, line 1: a password stands in the source.",
]);

const messages = [];
for await (const message of query({
  prompt: "Is there a secret in this code? Name file and line.",
  options: {
    model: process.env.CASTELLAN_MODEL ?? script,
    cwd: folder,
    tools: ["Read", "Glob", "Grep"], // What the model can call. Nothing else exists for it.
    permissionMode: "dontAsk", // What no rule allows is denied: nobody watches.
    persistSession: false,
  },
})) {
  messages.push(message);
}
console.log(transcript(messages));
console.log(`Files in ${folder}: ${(await readdir(folder)).sort().join(", ")}`);
