// One process of a session whose calls wait in the inbox, and whose history is summed up meanwhile. Who decides is another
// process; this one tells what is asked. At its point it stands still.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, tool } from "@castellan/sdk";
import { answer, MESSAGE } from "./inbox-script.mjs";
import { standStill, tell, watchedStore } from "./watched-store.mjs";

const { kind, home, work, sessionId, prompt, resume, durability, said, point } = JSON.parse(process.argv[2]);

const { inner, store, redact } = await watchedStore({ kind, home, point });
const host = createHost({ store, durability, ...(point?.kind === "recorded" ? { redact } : {}) });

const requests = [];
const model = {
  id: "m",
  provider: "p",
  contextWindow: 9_000,
  async *stream(request) {
    const said = answer(request);
    if (said.isSummary !== true) requests.push({ ...request, messages: [...request.messages] });
    if (said.text !== undefined) yield { type: "text", delta: said.text };
    for (const { id, name, input } of said.calls ?? []) {
      yield { type: "toolStart", id, name };
      yield { type: "toolEnd", id, inputText: JSON.stringify(input) };
    }
    yield { type: "finish", stopReason: said.calls === undefined ? "end_turn" : "tool_use" };
  },
};

const text = { step: "integer", text: "string" };
// "like too" is like "like".
const targets = (input) => [{ kind: "name", value: String(input.text).replace(" too", "") }];
const say = (file) => (input, context) => {
  appendFileSync(join(work, file), `${context.toolUseId} ${input.text}\n`);
  return { content: [{ type: "text", text: `Done: ${input.text}.` }] };
};
const row = ({ step }) => ({ content: [{ type: "text", text: `row of ${step}: ${"figure ".repeat(600)}` }] });

const query = host.query({
  prompt,
  options: {
    model,
    cwd: work,
    ...(resume ? { resume: sessionId } : { sessionId }),
    tools: [
      tool("row", "Reads a row.", { step: "integer" }, row, { annotations: { readOnlyHint: true } }),
      tool("note", "Writes a note.", text, say("notes.txt"), { targets }),
      tool("send", "Sends a text.", text, say("sent.txt"), { targets }),
    ],
    allowedTools: ["row", "note"],
    approvals: "durable",
  },
});

/** A person says more while a call waits; once a session. */
let isSaid = said;
async function* more() {
  yield { type: "user", message: { role: "user", content: MESSAGE } };
}

let told = 0;
const results = [];
for await (const message of query) {
  if (message.type === "result") results.push({ subtype: message.subtype, errors: message.errors });
  if (message.type !== "system" || message.subtype !== "approval_requested") continue;
  told += 1;
  if (point?.kind === "told" && point.nth === told) standStill();
  const { input } = await store.approvals.get(message.approval_id);
  tell({ asked: { id: message.approval_id, text: input.text } });
  if (isSaid || input.text !== "more") continue;
  isSaid = true;
  void query.streamInput(more());
}
await host.close();
await inner.close();
tell({ end: results, requests: [requests[0], requests.at(-1)].filter(Boolean) });
