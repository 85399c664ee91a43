import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Approvals, createHost, type Query, tool } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { scriptedModel } from "@castellan/sdk/testing";

/**
 * The inbox under sessions that wait, each with four calls in it. Another store over the same folder, as another process
 * has it, lists, decides and watches. `node approvals.js <jsonl|sqlite> <sessions>` prints medians in milliseconds.
 */
const KIND = process.argv[2] === "sqlite" ? "sqlite" : "jsonl";
const SESSIONS = Number(process.argv[3]);
const EACH = 4;
const LOOKS = 21;

const home = mkdtempSync(join(tmpdir(), "castellan-bench-"));
const open = () => (KIND === "sqlite" ? sqliteStore({ home }) : jsonlStore({ home }));
const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[all.length >> 1] ?? 0;

const act = tool({
  name: "act",
  description: "Does something.",
  version: "1.0.0",
  riskLevel: "high",
  inputSchema: { what: "string" },
  annotations: { readOnlyHint: true },
  execute: async ({ what }) => ({ success: true, output: `${what} done` }),
});

async function timed(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await what();
  return performance.now() - began;
}

/** Until the watch has given all that waits. */
async function seen(inbox: Approvals, count: number): Promise<void> {
  let found = 0;
  for await (const _ of inbox.watch()) {
    found += 1;
    if (found === count) return;
  }
}

async function drained(query: Query): Promise<void> {
  for await (const message of query) {
    if (message.type === "result" && message.subtype !== "success")
      throw new Error(message.errors?.join(" "));
  }
}

const [store, otherStore] = [open(), open()];
const [host, other] = [createHost({ store }), createHost({ store: otherStore })];
try {
  const runs = Array.from({ length: SESSIONS }, (_, session) => {
    const calls = Array.from({ length: EACH }, (_, i) => ({
      name: "act",
      input: { what: `${session}.${i}` },
    }));
    const model = scriptedModel([{ toolCalls: calls }, "ok"]);
    const query = host.query({
      prompt: "go",
      options: { model, tools: [act], cwd: home, approvals: "durable" },
    });
    return drained(query);
  });
  const all = SESSIONS * EACH;
  await seen(other.approvals, all);
  const list: number[] = [];
  const watch: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    list.push(await timed(() => other.approvals.list({ status: "pending" })));
    watch.push(await timed(() => seen(other.approvals, all)));
  }
  const pending = await other.approvals.list({ status: "pending" });
  const decide: number[] = [];
  const hear: number[] = [];
  const told = new Map<string, number>();
  const end = new AbortController();
  const waiting = new Set<string>();
  const watching = (async () => {
    for await (const { type, record } of host.approvals.watch({ signal: end.signal })) {
      if (type === "requested") waiting.add(record.id);
      if (type === "decided") told.set(record.id, performance.now());
    }
  })();
  // What is decided before a watch has looked for the first time is none of its business.
  while (waiting.size < all) await new Promise((resolve) => setTimeout(resolve, 5));
  const decidedAt = new Map<string, number>();
  for (const { id } of pending) {
    decide.push(await timed(() => other.approvals.approve(id)));
    decidedAt.set(id, performance.now());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all(runs);
  while (told.size < all) await new Promise((resolve) => setTimeout(resolve, 20));
  end.abort();
  await watching;
  for (const [id, at] of decidedAt) hear.push((told.get(id) ?? Number.NaN) - at);
  const figures = { list: median(list), watch: median(watch), decide: median(decide), hear: median(hear) };
  process.stdout.write(JSON.stringify(figures));
} finally {
  await Promise.all([host.close(), other.close()]);
  await Promise.all([store.close(), otherStore.close()]);
  rmSync(home, { recursive: true, force: true });
}
