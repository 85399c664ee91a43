// A session that sums up its history, killed in the middle of that. It tells when it is at its point, and stands still there.
import { writeSync as writeOut } from "node:fs";
import { createHost, tool } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";

const { home, work, sessionId, resume, point } = JSON.parse(process.argv[2]);
const tell = (what) => writeOut(1, `${JSON.stringify(what)}\n`);

function standStill() {
  tell({ there: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const ROWS = 30;
const highest = (value) =>
  Math.max(0, ...[...JSON.stringify(value).matchAll(/row (\d+)/g)].map(([, n]) => Number(n)));

let summaries = 0;
const model = {
  id: "m",
  provider: "p",
  contextWindow: 6_000,
  async *stream({ system, tools, messages }) {
    const done = highest(messages);
    if (tools.length === 0 && system[0].startsWith("You sum up")) {
      summaries += 1;
      if (point === "asking") standStill();
      yield { type: "text", delta: `All up to row ${done} is read.` };
      yield { type: "finish", stopReason: "end_turn" };
    } else if (done >= ROWS) {
      yield { type: "text", delta: "All rows are read." };
      yield { type: "finish", stopReason: "end_turn" };
    } else {
      yield { type: "toolStart", id: `c${done + 1}`, name: "row" };
      yield { type: "toolEnd", id: `c${done + 1}`, inputText: `{"n":${done + 1}}` };
      yield { type: "finish", stopReason: "tool_use" };
    }
  },
};

const inner = jsonlStore({ home });
const store = {
  ...inner,
  async append(batches) {
    const results = await inner.append(batches);
    const isThere = batches.some(({ events }) => events.some(({ type }) => type === "compacted"));
    if (point === "written" && isThere) standStill();
    return results;
  },
};

/** The redactor sees each event in the step that records it, before it is written. */
function redact(event) {
  if (point === "recorded" && event.type === "compacted") standStill();
  return event;
}

const row = tool("row", "Reads a row.", { n: "integer" }, ({ n }) => ({
  content: [{ type: "text", text: `row ${n}: ${"figure ".repeat(150)}` }],
}));
const host = createHost({ store, redact });
const options = {
  ...{ model, cwd: work, tools: [row], allowedTools: ["row"] },
  ...(resume ? { resume: sessionId } : { sessionId }),
};
for await (const message of host.query({ prompt: resume ? "" : "Read. Never touch /srv.", options })) {
  if (message.type === "result") tell({ result: message, summaries });
}
await host.close();
await inner.close();
