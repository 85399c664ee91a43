import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createHost } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { scriptedModel } from "@castellan/sdk/testing";

/**
 * How long it takes to resume a session of many events, up to its first model request: from its whole log, and then
 * from the snapshot that the first run has left. `node resume.js <jsonl|sqlite> <events>` prints milliseconds.
 */
const KIND = process.argv[2] === "sqlite" ? "sqlite" : "jsonl";
const EVENTS = Number(process.argv[3]);
const SESSION = "bench";

type Store = ReturnType<typeof jsonlStore> | ReturnType<typeof sqliteStore>;
type Events = Parameters<Store["append"]>[0][number]["events"];

/** A log as a long session writes it: rounds of one call each, about 400 bytes an event. */
function* logOf(cwd: string): Generator<unknown> {
  let seq = 0;
  const event = (type: string, data: object, critical = true): object => {
    seq += 1;
    const id = `01a00000-0000-7000-8000-${String(seq).padStart(12, "0")}`;
    return { v: 1, seq, id, ts: seq, type, ...(critical ? { critical } : {}), data };
  };
  const release = "0.1.0";
  yield event("session.started", { sessionId: SESSION, cwd, release });
  const setup = { model: "m", mode: "default", tools: [], rules: [], additionalDirectories: [], release };
  yield event("session.configured", setup);
  yield event("user.message", { message: { role: "user", parts: [{ type: "text", text: "go" }] } });
  const usage = { inputTokens: 10, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const text = "x".repeat(300);
  const reason = { type: "mode", mode: "default" };
  for (let round = 1; seq + 6 <= EVENTS - 1; round += 1) {
    const [id, path] = [`c${round}`, `/src/${round % 500}.ts`];
    const call = { type: "toolCall", id, name: "Read", input: { file_path: path } };
    yield event("model.requested", { model: "m", turn: round, messages: round }, false);
    const message = { role: "assistant", id: `m${round}`, parts: [{ type: "text", text }, call] };
    yield event("model.completed", { model: "m", message, usage, stopReason: "tool_use", durationMs: 1 });
    const about = { callId: id, name: "Read" };
    yield event("tool.decided", { ...about, behavior: "allow", message: "", reason });
    yield event("tool.started", { ...about, repeatable: true });
    yield event("file.seen", { path, digest: "d".repeat(64), partial: false }, false);
    const content = [{ type: "text", text }];
    yield event("tool.finished", { ...about, outcome: "finished", content, isError: false, durationMs: 1 });
  }
  const message = { role: "assistant", id: "end", parts: [{ type: "text", text: "done" }] };
  yield event("model.completed", { model: "m", message, usage, stopReason: "end_turn", durationMs: 1 });
}

async function resumed(home: string): Promise<number> {
  const store = open(home);
  const host = createHost({ store });
  let asked = 0;
  const answer = (): string => {
    asked = performance.now();
    return "ok";
  };
  const began = performance.now();
  const options = { resume: SESSION, model: scriptedModel([answer]), tools: [] };
  for await (const message of host.query({ prompt: "more", options })) {
    if (message.type === "result" && message.subtype !== "success")
      throw new Error(message.errors?.join(" "));
  }
  await host.close();
  await store.close();
  return asked - began;
}

const open = (home: string): Store => (KIND === "sqlite" ? sqliteStore({ home }) : jsonlStore({ home }));

const home = mkdtempSync(join(tmpdir(), "castellan-bench-"));
try {
  const events = [...logOf(home)] as unknown as Events;
  const store = open(home);
  await store.append([{ sessionId: SESSION, project: home, expectedSeq: 0, batchId: "b", events }]);
  await store.close();
  process.stdout.write(JSON.stringify({ log: await resumed(home), snapshot: await resumed(home) }));
} finally {
  rmSync(home, { recursive: true, force: true });
}
