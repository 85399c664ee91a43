import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { todos } from "../contract-events.ts";
import { jsonlStore } from "./jsonl.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "castellan-unreadable-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const batch = (sessionId: string) => ({
  sessionId,
  project: "/srv/app",
  expectedSeq: 0,
  batchId: "b",
  events: [todos(1, 1_000, "x")],
});

describe("a log that cannot be read", () => {
  it("is left out of a listing, which tells of it; the others stand", async () => {
    const store = jsonlStore({ home });
    await store.append([batch("good")]);
    const good = store.locate?.("good", "/srv/app") ?? "";
    const bad = good.replace(/good(?=[\\/]log\.jsonl$)/, "bad");
    await mkdir(bad, { recursive: true });
    const skipped: string[] = [];
    const listed = await store.list({ project: "/srv/app", skipped: (text) => void skipped.push(text) });
    expect(listed.map(({ sessionId }) => sessionId)).toEqual(["good"]);
    expect(skipped).toEqual([expect.stringContaining(bad)]);
    expect((await store.list()).length).toBe(1);
    await store.close();
  });
});
