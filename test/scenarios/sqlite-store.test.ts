import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Options, tool } from "@castellan/sdk";
import { type ArtifactStore, jsonlStore, memoryStore, storeContract } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { faultyStore, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

const SESSION = "0199a0b0-0000-7000-8000-00000000000e";
const LONG = "x".repeat(200_000);

const long = tool("long", "Is long.", {}, () => ({ content: [{ type: "text", text: LONG }] }), {
  riskLevel: "low",
});

describe("a host over SQLite", () => {
  it("keeps a session with its artifacts in one file, and another host goes on with it", async () => {
    const home = scratch();
    const file = join(home, "deep", "sessions.db");
    const cwd = scratch();
    const run = async (prompt: string, model: ReturnType<typeof scriptedModel>, options: Options) => {
      const store = sqliteStore({ file });
      const host = createHost({
        store,
        platform: { env: { ...process.env, CASTELLAN_HOME: join(home, "none") } },
      });
      const session = live(prompt, { cwd, model, tools: [long], allowedTools: ["long"], ...options }, host);
      await session.ended;
      const artifacts = await store.artifacts.list();
      await host.close();
      await store.close();
      return { results: session.results(), artifacts };
    };
    const first = await run("go", scriptedModel([{ toolCalls: [{ name: "long" }] }, "one"]), {
      sessionId: SESSION,
    });
    expect(first.results).toMatchObject([{ result: "one" }]);
    expect(first.artifacts.length).toBeGreaterThan(0);
    const model = scriptedModel(["two"]);
    const second = await run("and now", model, { resume: SESSION });
    expect(second.results).toMatchObject([{ result: "two", session_id: SESSION }]);
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/go.*one.*and now/);
    expect(readdirSync(join(home, "deep"))).toEqual(["sessions.db"]);
    expect(existsSync(join(home, "none"))).toBe(false);
  });

  it("without a driver says what to install", async () => {
    const store = sqliteStore({ home: scratch(), driver: "better-sqlite3" });
    const session = live("go", { model: scriptedModel(["one"]) }, createHost({ store }));
    const failure = String(await session.ended) + JSON.stringify(session.results());
    expect(failure).toContain("npm install better-sqlite3");
  });
});

const BUNDLES = {
  memory: () => memoryStore(),
  jsonl: () => jsonlStore({ home: scratch() }),
  sqlite: () => sqliteStore({ home: scratch() }),
};

describe.each(Object.entries(BUNDLES))("the %s bundle", (_kind, make) => {
  it("is its own event store, and has every port", async () => {
    const store = make();
    expect(store.events).toBe(store);
    for (const port of ["artifacts", "leases", "approvals", "wakes"] as const)
      expect(store[port]).toBeTypeOf("object");
    await store.close();
    await expect(store.append([])).rejects.toThrow();
  });

  it("counts with the methods that a program put in", async () => {
    const inner = make();
    const appended: string[] = [];
    const append: typeof inner.append = (batches) => {
      appended.push(...batches.map(({ sessionId }) => sessionId));
      return inner.append(batches);
    };
    const host = createHost({ store: { ...inner, append } });
    await live("go", { model: scriptedModel(["one"]), sessionId: SESSION }, host).ended;
    expect(appended).toContain(SESSION);
    await inner.close();
  });

  it("is taken as a bundle that is no event store itself", async () => {
    const { events, artifacts, leases, approvals, wakes, close } = make();
    const host = createHost({ store: { events, artifacts, leases, approvals, wakes, close } });
    await live("go", { model: scriptedModel(["one"]), sessionId: SESSION }, host).ended;
    expect((await events.list()).map(({ sessionId }) => sessionId)).toEqual([SESSION]);
    await close();
  });

  const under: Record<string, (store: ReturnType<typeof make>) => ArtifactStore> = {
    "as it is": ({ artifacts }) => artifacts,
    "when it is slow and hears twice": (store) =>
      faultyStore(store, { seed: 4, shares: { delay: 0.3, duplicate: 0.4 } }).artifacts,
  };
  for (const [how, of] of Object.entries(under)) {
    it.each(storeContract.artifacts().map((each) => [each.name, each] as const))(
      `keeps artifacts ${how}: %s`,
      async (_name, each) => {
        const store = make();
        await each.run(of(store));
        await store.close();
      },
    );
  }

  it("takes away only blobs that nobody put since", async () => {
    const store = make();
    const hash = await store.artifacts.put(new TextEncoder().encode("abc"));
    expect(await store.artifacts.evict?.(hash, 1)).toBe(false);
    expect(await store.artifacts.evict?.(hash, Date.now() + 60_000)).toBe(true);
    expect(await store.artifacts.evict?.(hash, Date.now() + 60_000)).toBe(false);
    expect(await store.artifacts.list()).toEqual([]);
    await store.close();
  });
});
