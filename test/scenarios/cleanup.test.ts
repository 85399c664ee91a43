import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Host, type Options, tool } from "@castellan/sdk";
import { type FullStore, jsonlStore } from "@castellan/sdk/stores";
import { fakeClock, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live } from "../kit/live.ts";
import { play } from "../kit/played.ts";
import { scratch } from "../kit/session.ts";

const DAY = 86_400_000;
const START = 1_800_000_000_000;
const large = tool("large", "Says a lot.", {}, () => ({
  content: [{ type: "text", text: "a lot ".repeat(10_000) }],
}));
const LARGE: Options = { tools: [large], allowedTools: ["large"] };
const calling = [{ toolCalls: [{ name: "large" }] }, "done"];

/** A person's machine: a home, a clock, and hosts that find both. */
function machine() {
  const home = scratch();
  const clock = fakeClock(START);
  const platform = { clock, homedir: () => home, env: {} };
  const put = (folder: string, settings: object): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  };
  const using = async <T>(work: (host: Host) => Promise<T>): Promise<T> => {
    const host = createHost({ platform });
    try {
      return await work(host);
    } finally {
      await host.close();
    }
  };
  const open = (options: Options = {}) =>
    using((host) => play(host, ["hi"], { settingSources: ["user", "project"], ...options }));
  const ids = () => using(async ({ store }) => (await store.list()).map(({ sessionId }) => sessionId));
  return {
    home,
    clock,
    platform,
    put,
    using,
    open,
    ids,
    inUser: (own: object) => put(join(home, ".castellan"), own),
  };
}

const notes = ({ messages }: Awaited<ReturnType<typeof play>>): string =>
  messages
    .flatMap((each) => ("subtype" in each && each.subtype === "notification" ? [each.message] : []))
    .join("\n");

describe("cleanupPeriodDays", () => {
  it("deletes no session where nobody has set it", async () => {
    const { clock, open, ids } = machine();
    const { sessionId } = await open();
    clock.advance(10_000 * DAY);
    await open();
    expect(await ids()).toContain(sessionId);
  });

  it("deletes sessions that are older, with what only they reach, once a day", async () => {
    const { clock, using, open, ids, inUser, home } = machine();
    inUser({ cleanupPeriodDays: 30 });
    const old = await using((host) => play(host, calling, LARGE));
    clock.advance(29 * DAY);
    const young = await open();
    expect(await ids()).toEqual(expect.arrayContaining([old.sessionId, young.sessionId]));
    // That one looked; nobody looks again on the same day.
    clock.advance(0.9 * DAY);
    await using((host) => play(host, ["hi"], { cwd: scratch() }));
    clock.advance(0.2 * DAY);
    const next = await open();
    expect((await ids()).sort()).toEqual(expect.arrayContaining([young.sessionId, next.sessionId]));
    expect(await ids()).not.toContain(old.sessionId);
    expect(await jsonlStore({ home: join(home, ".castellan") }).artifacts.list()).toEqual([]);
    clock.advance(29.5 * DAY);
    await open();
    expect(await ids()).not.toContain(young.sessionId);
    clock.advance(0.5 * DAY);
    await open();
    expect(await ids()).toContain(next.sessionId);
  });

  it("leaves one that runs, waits for an approval or for its time, and the one that opens", async () => {
    const { clock, using, open, ids, inUser, platform, home } = machine();
    inUser({ cleanupPeriodDays: 1 });
    const [asks, sleeps, goes] = await using(async (host) => [
      await play(host, ["a"]),
      await play(host, ["b"]),
      await play(host, ["c"]),
    ]);
    const store: FullStore = jsonlStore({ home: join(home, ".castellan") });
    await store.approvals.put({
      ...{ id: "a1", sessionId: asks.sessionId, toolUseId: "t", tool: "Bash", input: {}, inputHash: "0" },
      ...{
        policyVersion: "1",
        reason: { type: "undecided" },
        suggestions: [],
        title: "?",
        requestedAt: START,
      },
      ...{ approver: "human", status: "pending" },
    } as never);
    await store.wakes.put({
      id: "w1",
      sessionId: sleeps.sessionId,
      at: START + 900 * DAY,
      kind: "timer",
      data: null,
    });
    await store.close();
    const door = gate();
    const other = createHost({ platform });
    const running = live(
      "go",
      {
        model: scriptedModel([{ toolCalls: [{ name: "Bash", input: { command: "touch x" } }] }, "done"]),
        canUseTool: async () => {
          await door.wait();
          return { behavior: "deny", message: "no" };
        },
      },
      other,
    );
    await door.reached;
    clock.advance(400 * DAY);
    const opening = await open({ resume: goes.sessionId });
    expect((await ids()).sort()).toEqual(
      [asks.sessionId, sleeps.sessionId, opening.sessionId, running.messages[0]?.session_id].sort(),
    );
    expect(opening.sessionId).toBe(goes.sessionId);
    const report = await using((host) => host.sessions.prune({ olderThanDays: 0.5, dryRun: true }));
    expect(report.left.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(["It runs.", "It waits for an approval.", "It waits to be woken."]),
    );
    door.open();
    await running.ended;
    await other.close();
  });

  it("counts in no project's file and in no other host's, and says so", async () => {
    const { clock, put, open, ids, home } = machine();
    const { sessionId } = await open();
    clock.advance(100 * DAY);
    const cwd = scratch();
    put(join(cwd, ".castellan"), { cleanupPeriodDays: 1 });
    put(join(home, ".claude"), { cleanupPeriodDays: 1 });
    const opened = await open({ cwd, trustWorkspace: true, compat: ["claude"] });
    expect(notes(opened)).toMatch(/cleanupPeriodDays does not count in a project's file/);
    expect(await ids()).toContain(sessionId);
  });

  it("0 is refused, since it means two things", async () => {
    const { clock, open, ids, inUser } = machine();
    inUser({ cleanupPeriodDays: 0 });
    const { sessionId } = await open();
    clock.advance(DAY);
    expect(notes(await open())).toMatch(/cleanupPeriodDays.*a number of days, 1 or more/);
    expect(await ids()).toContain(sessionId);
    expect(() =>
      createHost().query({ prompt: "x", options: { settings: { cleanupPeriodDays: 0 } } }),
    ).toThrow(/1 or more/);
  });

  it("leaves a store that a program gave to the program", async () => {
    const { clock, inUser, home, platform } = machine();
    inUser({ cleanupPeriodDays: 1 });
    const store = jsonlStore({ home: scratch() });
    const host = createHost({ store, platform });
    const { sessionId } = await play(host, ["hi"]);
    clock.advance(100 * DAY);
    await play(host, ["hi"], { settingSources: ["user"] });
    await host.close();
    expect(home).not.toBe("");
    expect((await store.list()).map((each) => each.sessionId)).toContain(sessionId);
  });
});
