// A session whose call waits for somebody, while messages queue up behind it. Told to wait, the process stands still
// until it is killed; a later one goes on with what is left.
import { writeSync } from "node:fs";
import { createHost, tool } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";

const {
  home,
  cwd,
  sessionId,
  resume,
  prompt,
  messages = [],
  cancel = [],
  approvals,
  waits,
} = JSON.parse(process.argv[2]);
const tell = (what) => writeSync(1, `${JSON.stringify(what)}\n`);

let sent = 0;
const send = tool("send", "Sends.", {}, () => {
  sent += 1;
  return { content: [{ type: "text", text: "sent" }] };
});
const model = scriptedModel(
  resume
    ? ["one", "two", "three", "four"]
    : [{ toolCalls: [{ name: "send", id: "c1" }] }, "one", "two", "three", "four"],
);
const host = createHost({ store: jsonlStore({ home }) });
const options = { model, cwd, tools: [send], approvals, ...(resume ? { resume: sessionId } : { sessionId }) };
const query = host.query({ prompt, options });
const results = [];
for await (const message of query) {
  if (message.type === "result") results.push(message.result ?? message.subtype);
  if (message.type !== "system" || message.subtype !== "approval_requested" || !waits) continue;
  await query.streamInput(
    (async function* () {
      yield* messages;
    })(),
  );
  const receipts = [];
  for (const uuid of cancel) receipts.push(await query.cancelMessage(uuid));
  tell({ id: message.approval_id, receipts });
}
const heard = model.requests.map(({ messages: history }) =>
  history.flatMap(({ role, parts }) =>
    parts.map((part) => (part.type === "text" ? `${role}: ${part.text}` : `${role}: ${part.type}`)),
  ),
);
tell({ results, heard, sent });
process.exit(0);
