// @ts-check
// A policy in one callback. It is asked where no rule decided, and it denies, edits, or ends the run.
//
//   node examples/callback-policy.mjs
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { query, tool } from "@castellan/sdk";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const folder = await mkdtemp(join(tmpdir(), "policy-"));
let sent = 0;
const sendMail = tool("send_mail", "Sends a mail.", { to: "string", text: "string" }, () => {
  sent += 1;
  return { success: true, output: "sent" };
});

// The script stands for a model, as long as no other is named.
const script = scriptedModel([
  { toolCalls: [{ name: "Bash", input: { command: "touch started" } }] },
  { toolCalls: [{ name: "Write", input: { file_path: "report.md", content: "All is well.\n" } }] },
  { toolCalls: [{ name: "send_mail", input: { to: "all@example.com", text: "All is well." } }] },
  "The report is out.",
]);

const messages = [];
for await (const message of query({
  prompt: "Write a report and mail it to everybody.",
  options: {
    model: process.env.CASTELLAN_MODEL ?? script,
    cwd: folder,
    tools: ["Write", "Bash", sendMail],
    canUseTool(name, input) {
      if (name === "Bash") return { behavior: "deny", message: "No commands here. Use Write." };
      if (name === "Write") {
        // What comes back is checked and decided again, as if the model had written it.
        const file = join(folder, "drafts", basename(String(input.file_path)));
        return { behavior: "allow", updatedInput: { ...input, file_path: file } };
      }
      return { behavior: "deny", message: "Mails are sent by people.", interrupt: true };
    },
    persistSession: false,
  },
})) {
  messages.push(message);
}
console.log(transcript(messages));
const files = await readdir(folder, { recursive: true });
console.log(`Files: ${files.sort().join(", ")}. Mails sent: ${sent}.`);
