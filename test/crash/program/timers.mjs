// One process of a session that sleeps and is woken later: it goes on with what is owed, then wakes what is due until
// nothing is. At its point it stands still.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, tool } from "@castellan/sdk";
import { tell, watchedStore } from "./watched-store.mjs";

const { kind, home, work, sessionId, prompt, resume, owes, durability, point } = JSON.parse(process.argv[2]);

const { inner, store, redact } = await watchedStore({ kind, home, point });
const host = createHost({ store, durability, ...(point?.kind === "recorded" ? { redact } : {}) });

const call = (id, name, input) => ({ id, name, input });

/** The next answer, as a function of the request alone. */
function answer({ messages }) {
  const text = JSON.stringify(messages);
  if (!text.includes('"call_1"'))
    return [call("call_1", "Sleep", { seconds: 1 }), call("call_2", "note", { text: "first" })];
  if (!text.includes('"call_3"'))
    return [call("call_3", "ScheduleWakeup", { seconds: 1, prompt: "Look at the oven." })];
  const woken = JSON.stringify(messages.filter(({ role }) => role === "user")).includes("Look at the oven.");
  return woken && !text.includes('"call_4"') ? [call("call_4", "note", { text: "second" })] : undefined;
}

const model = {
  id: "m",
  provider: "p",
  async *stream(request) {
    const calls = answer(request);
    for (const { id, name, input } of calls ?? []) {
      yield { type: "toolStart", id, name };
      yield { type: "toolEnd", id, inputText: JSON.stringify(input) };
    }
    if (calls === undefined) yield { type: "text", delta: "Done for now." };
    yield { type: "finish", stopReason: calls === undefined ? "end_turn" : "tool_use" };
  },
};
const note = tool("note", "Writes a note.", { text: "string" }, ({ text }, { toolUseId }) => {
  appendFileSync(join(work, "notes.txt"), `${toolUseId} ${text}\n`);
  return { content: [{ type: "text", text: "Done." }] };
});
const options = {
  ...{ model, cwd: work, tools: ["Sleep", "ScheduleWakeup", note] },
  allowedTools: ["Sleep", "ScheduleWakeup", "note"],
};

const results = [];
async function read(query) {
  for await (const message of query) {
    if (message.type === "result") results.push({ subtype: message.subtype, errors: message.errors });
  }
}
if (owes)
  await read(
    host.query({ prompt, options: { ...options, ...(resume ? { resume: sessionId } : { sessionId }) } }),
  );
while ((await store.wakes.list(sessionId)).length > 0) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await host.wakes.run({ once: true, options, onSession: read });
}
await host.close();
await inner.close();
tell({ end: results, requests: [] });
