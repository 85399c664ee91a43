// One process of the session: begins it or goes on with it, up to the point where it is to be killed, or to its end.
// It tells what happens as JSON lines; at the point it stands still for ever, so that the kill meets exactly this state.
import { appendFileSync, watch, writeFileSync, writeSync as writeOut } from "node:fs";
import { join } from "node:path";
import { createHost, nodePlatform, tool } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { answer } from "./script.mjs";

const { kind, home, work, sessionId, prompt, resume, durability, point } = JSON.parse(process.argv[2]);

const tell = (what) => writeOut(1, `${JSON.stringify(what)}\n`);

function standStill() {
  tell({ there: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** A platform for the log files whose disk takes only a part of one write. */
function tornDisk() {
  const platform = nodePlatform();
  let writes = 0;
  const writeSync = (descriptor, bytes, offset, length, position) => {
    const text = Buffer.from(bytes.subarray(offset, offset + length));
    if (text.subarray(0, 5).toString() === '{"v":' && ++writes === point.write) {
      const part = partOf(text, point.cut);
      platform.fs.writeSync(descriptor, bytes, offset, part, position);
      standStill();
    }
    return platform.fs.writeSync(descriptor, bytes, offset, length, position);
  };
  return { ...platform, fs: { ...platform.fs, writeSync } };
}

function partOf(text, cut) {
  const firstLine = text.indexOf("\n") + 1;
  const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
  return {
    "one byte": 1,
    "the half of it": Math.floor(text.length / 2),
    "its first line": firstLine === text.length ? text.length - 2 : firstLine,
    "all but its last line": lastLine === 0 ? text.length >> 2 : lastLine,
    "all but the line break": text.length - 1,
    all: text.length,
  }[cut];
}

async function openStore() {
  if (kind === "sqlite") return (await import("@castellan/sdk/stores/sqlite")).sqliteStore({ home });
  return jsonlStore(point?.kind === "torn" ? { home, platform: tornDisk() } : { home });
}

const inner = await openStore();

/** Tells of what is written before anybody else knows. */
async function append(batch) {
  const [result] = await inner.append([batch]);
  if (result.ok) tell({ written: batch.events });
  else tell({ refused: result });
  return result;
}

/** Each event as an append of its own, so that the log can end behind any of them. */
async function appendOneByOne(batch) {
  let result;
  for (const [i, event] of batch.events.entries()) {
    const isLast = i === batch.events.length - 1;
    const batchId = isLast ? batch.batchId : `${batch.batchId}-${i}`;
    const expectedSeq = batch.expectedSeq + i;
    const { fresh, ...rest } = batch;
    const one = { ...rest, ...(i === 0 && fresh ? { fresh } : {}), expectedSeq, batchId, events: [event] };
    result = await append(one);
    if (!result.ok) return result;
    if (event.seq === point.event) standStill();
  }
  return result;
}

const store = {
  ...inner,
  async append(batches) {
    const results = [];
    const one = point?.kind === "written" ? appendOneByOne : append;
    for (const batch of batches) results.push(await one(batch));
    return results;
  },
};

/** The redactor sees each event in the step that records it, before it is written. */
function redact(event) {
  if (event.seq === point.event) standStill();
  return event;
}

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
