// @ts-check
// A run waits for a word; another process watches the inbox, approves with a change, and the run goes on.
//
//   node examples/approve-elsewhere.mjs
import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { approvalsOf, createHost, tool } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";

const [job, given] = process.argv.slice(2);
if (job === "decide" && given !== undefined) await decideIn(given);
else await work();

/** The run: it knows nobody who could decide. */
async function work() {
  const home = await mkdtemp(join(tmpdir(), "inbox-"));
  const deploy = tool("deploy", "Puts a release online.", { where: "string" }, async ({ where }) => {
    console.log(`Deployed to ${where}.`);
    return { content: [{ type: "text", text: `It is online: ${where}.` }] };
  });
  // The script stands for a model, as long as no other is named.
  const call = { name: "deploy", input: { where: "production" } };
  const script = scriptedModel([{ toolCalls: [call] }, "The release is online."]);
  const store = jsonlStore({ home });
  const host = createHost({ store });
  const model = process.env.CASTELLAN_MODEL ?? script;
  // In a terminal of its own: castellan approvals watch, approve, reject.
  const other = spawn(process.execPath, [fileURLToPath(import.meta.url), "decide", home], {
    stdio: "inherit",
  });
  const ended = new Promise((resolve) => other.on("exit", resolve));
  const session = host.query({
    prompt: "Put the release online.",
    options: { model, cwd: home, tools: [deploy], approvals: "durable" },
  });
  for await (const message of session) {
    if (message.type === "system" && message.subtype === "approval_requested") console.log("It waits.");
    if (message.type === "result" && message.subtype === "success") console.log(message.result);
  }
  other.kill();
  await ended;
  await host.close();
  await store.close();
}

/** The other process: it decides about whatever comes. @param {string} home */
async function decideIn(home) {
  const inbox = approvalsOf(jsonlStore({ home }));
  for await (const { type, record } of inbox.watch()) {
    if (type !== "requested") continue;
    await inbox.approve(record.id, { by: "ann", note: "first there", updatedInput: { where: "staging" } });
    console.log(`Approved in process ${process.pid}: ${record.title}, but to staging.`);
  }
}
