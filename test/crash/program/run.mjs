// One process of the session: begins it or goes on with it, up to the point where it is to be killed, or to its end.
// It tells what happens as JSON lines; at the point it stands still for ever, so that the kill meets exactly this state.
import { appendFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { answer } from "./script.mjs";
import { standStill, tell, watchedStore } from "./watched-store.mjs";

const { kind, home, work, sessionId, prompt, resume, durability, point } = JSON.parse(process.argv[2]);

const { inner, store, redact } = await watchedStore({ kind, home, point });

// The command that finds this file stays where it is.
if (point?.kind === "running") {
  writeFileSync(join(work, "hold"), "");
  watch(work, (_, name) => {
    if (name === "shell.txt") standStill();
  });
}

const host = createHost({ store, durability, ...(point?.kind === "recorded" ? { redact } : {}) });
const leaves = (file) => (input, context) => {
  appendFileSync(join(work, file), `${context.toolUseId} ${input.text}\n`);
  return { content: [{ type: "text", text: `Appended ${input.text}.` }] };
};
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const model = scriptedModel(Array(60).fill((request) => answer(work, request)));
const results = [];
const query = host.query({
  prompt,
  options: {
    model,
    cwd: work,
    enableFileCheckpointing: true,
    ...(resume ? { resume: sessionId } : { sessionId }),
    tools: [
      ...["Read", "Edit", "Bash", "BashOutput"],
      tool("note", "Appends a line to the notes.", text, leaves("notes.txt")),
      tool("publish", "Appends a line to what everybody reads.", text, leaves("published.txt")),
    ],
    allowedTools: ["Read", "Edit", "Bash", "BashOutput", "note"],
    canUseTool(_, input, { toolUseID }) {
      appendFileSync(join(work, "asked.txt"), `${toolUseID} ${input.text}\n`);
      return { behavior: "allow" };
    },
  },
});
for await (const message of query) {
  if (message.type === "result") results.push({ subtype: message.subtype, errors: message.errors });
}
await host.close();
await inner.close();
const { requests } = model;
tell({ end: results, requests: [requests[0], requests.at(-1)].filter(Boolean) });
