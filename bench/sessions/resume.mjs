import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";

// Measures how long it takes to resume a session of many events up to its first model request, from its whole log and
// from a snapshot. Prints, and asserts nothing. Run it with: npm run build && node bench/sessions/resume.mjs [events]

const EVENTS = Number(process.argv[2] ?? 100_000);

/** A log as a long session writes it: rounds of one call each, about 400 bytes an event. */
function* logOf(sessionId, cwd) {
  let seq = 0;
  const event = (type, data, critical = true) => {
    seq += 1;
    const id = `01a00000-0000-7000-8000-${String(seq).padStart(12, "0")}`;
    return { v: 1, seq, id, ts: seq, type, ...(critical ? { critical } : {}), data };
  };
  const release = "0.1.0";
  yield event("session.started", { sessionId, cwd, release });
  const setup = { model: "m", mode: "default", tools: [], rules: [], additionalDirectories: [], release };
  yield event("session.configured", setup);
  yield event("user.message", { message: { role: "user", parts: [{ type: "text", text: "go" }] } });
  const usage = { inputTokens: 10, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const text = "x".repeat(300);
  for (let round = 1; seq + 6 <= EVENTS - 1; round += 1) {
    const call = {
      type: "toolCall",
      id: `c${round}`,
      name: "Read",
      input: { file_path: `/src/${round}.ts` },
    };
    yield event("model.requested", { model: "m", turn: round, messages: round }, false);
    const message = { role: "assistant", id: `m${round}`, parts: [{ type: "text", text }, call] };
    yield event("model.completed", { model: "m", message, usage, stopReason: "tool_use", durationMs: 1 });
    const about = { callId: call.id, name: "Read" };
    yield event("tool.decided", {
      ...about,
      behavior: "allow",
      message: "",
      reason: { type: "mode", mode: "default" },
    });
    yield event("tool.started", { ...about, repeatable: true });
    yield event(
      "file.seen",
      { path: `/src/${round % 500}.ts`, digest: "d".repeat(64), partial: false },
      false,
    );
    const content = [{ type: "text", text }];
    yield event("tool.finished", { ...about, outcome: "finished", content, isError: false, durationMs: 1 });
  }
  const message = { role: "assistant", id: "end", parts: [{ type: "text", text: "done" }] };
  yield event("model.completed", { model: "m", message, usage, stopReason: "end_turn", durationMs: 1 });
}

async function resumed(home, sessionId) {
  const store = jsonlStore({ home });
  const host = createHost({ store });
  const begun = performance.now();
  const before = process.cpuUsage();
  let asked = "";
  const model = scriptedModel([
    () => {
      const { user, system } = process.cpuUsage(before);
      asked = `${Math.round(performance.now() - begun)} ms, ${Math.round((user + system) / 1000)} ms of processor`;
      return "ok";
    },
  ]);
  for await (const _ of host.query({ prompt: "more", options: { resume: sessionId, model, tools: [] } }));
  await host.close();
  await store.close();
  return asked;
}

const home = mkdtempSync(join(tmpdir(), "castellan-bench-"));
try {
  const sessionId = "bench";
  const store = jsonlStore({ home });
  const events = [...logOf(sessionId, home)];
  const size = JSON.stringify(events).length;
  await store.append([{ sessionId, project: home, expectedSeq: 0, batchId: "b", events }]);
  await store.close();
  console.log(`${events.length} events, ${(size / 1e6).toFixed(1)} MB`);
  console.log(`resume from the whole log: ${await resumed(home, sessionId)}`);
  console.log(`resume from a snapshot:    ${await resumed(home, sessionId)}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
