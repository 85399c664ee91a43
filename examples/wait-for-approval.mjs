// @ts-check
// A run pauses because a call needs somebody's word. Somebody decides, and another host goes on where it stopped.
//
//   node examples/wait-for-approval.mjs
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, tool } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { scriptedModel, transcript } from "@castellan/sdk/testing";

const home = await mkdtemp(join(tmpdir(), "inbox-"));
/** @type {string[]} */
const sent = [];
const sendMail = tool("send_mail", "Sends a mail.", { to: "string", text: "string" }, async ({ to }) => {
  sent.push(to);
  return { content: [{ type: "text", text: `Sent to ${to}.` }] };
});

// The script stands for a model, as long as no other is named.
const script = scriptedModel([
  {
    toolCalls: [
      { name: "send_mail", input: { to: "ann@example.com", text: "The report is ready." } },
      { name: "send_mail", input: { to: "everyone@example.com", text: "The report is ready." } },
    ],
  },
  "Ann has the mail. The other one was not wanted.",
]);
const model = process.env.CASTELLAN_MODEL ?? script;
/** @type {import("@castellan/sdk").Options} */
const options = { model, cwd: home, tools: [sendMail], approvals: { mode: "durable", onPending: "pause" } };

const morning = createHost({ store: jsonlStore({ home }) });
let paused = "";
const messages = [];
for await (const message of morning.query({ prompt: "Tell Ann that the report is ready.", options })) {
  messages.push(message);
  if (message.type === "result" && message.subtype === "paused") paused = message.session_id;
}
console.log(transcript(messages));
await morning.close();

// Hours later, in another process: `castellan approvals list`, `approve`, `reject` do the same.
const evening = createHost({ store: jsonlStore({ home }) });
for (const { id, title, input } of await evening.approvals.list({ status: "pending" })) {
  const isWanted = input.to === "ann@example.com";
  if (isWanted) await evening.approvals.approve(id, { by: "ann" });
  else await evening.approvals.reject(id, { by: "ann", reason: "Not to everyone." });
  console.log(`${isWanted ? "Approved" : "Rejected"}: ${title} (${input.to})`);
}
if (paused !== "") {
  const rest = [];
  for await (const message of evening.query({ prompt: "", options: { ...options, resume: paused } }))
    rest.push(message);
  console.log(transcript(rest));
}
console.log(`Sent: ${sent.join(", ") || "nothing"}`);
await evening.close();
