import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { describe, expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { asked, begin, call, hostOver, resultsIn, sendTool } from "./kit.ts";
import { otherProcess } from "./other-process.ts";

// Decisions of another process, as each may come: what is no decision any more is a typed error, and runs nothing.

const pausing = { mode: "durable", onPending: "pause" } as const;

describe.each([
  ["JSONL", jsonlStore],
  ["SQLite", sqliteStore],
] as const)("a decision of another process (%s)", (kind, open) => {
  it("runs the call, once, whoever approves how often and how late", async () => {
    await withOther(async ({ host, other }) => {
      const { tool, sent } = sendTool();
      const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
      const read = begin(host, turns, { tools: [tool], approvals: "durable" });
      const id = await asked(read, "c1");
      const twice = await Promise.all([other.decide(id, true), decideHere(host, id)]);
      expect([...twice].sort()).toEqual(["approval_already_decided", "won"]);
      await read.result;
      expect([await other.decide(id, true), await other.decide(id, false)]).toEqual(
        Array(2).fill("approval_already_decided"),
      );
      expect(sent).toEqual(["hello"]);
      expect(await other.decide("apr_none", true)).toBe("approval_not_found");
    });
  }, 60_000);

  it("about another call than was looked at is refused", async () => {
    await withOther(async ({ host, other }) => {
      const { tool, sent } = sendTool();
      const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
      const read = begin(host, turns, { tools: [tool], approvals: "durable" });
      const id = await asked(read, "c1");
      expect(await other.decide(id, true, { inputHash: "0".repeat(64) })).toBe("approval_changed");
      expect(await other.decide(id, true, { updatedInput: "x" })).toBe("approval_refused");
      expect(await other.decide(id, true, { decider: "auto" })).toBe("approval_refused");
      expect(sent).toEqual([]);
      expect(await other.decide(id, false)).toBe("won");
      await read.result;
      expect(sent).toEqual([]);
    });
  }, 60_000);

  it("about a call that a hook makes another one meanwhile counts for nothing", async () => {
    await withOther(async ({ host, other }) => {
      const { tool, sent } = sendTool();
      const says = (text: string) =>
        ({
          PreToolUse: [
            {
              hooks: [
                async () => ({
                  hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { text } },
                }),
              ],
            },
          ],
        }) as never;
      const options = { tools: [tool], approvals: pausing };
      const read = begin(host, [{ toolCalls: [call("c1", "hello")] }], { ...options, hooks: says("one") });
      const { session_id: resume } = await read.result;
      const [first] = await host.approvals.list();
      expect(await other.decide(first?.id ?? "", true)).toBe("won");
      const on = begin(host, [], { ...options, resume, hooks: says("two") }, "");
      expect(await on.result).toMatchObject({ subtype: "paused" });
      expect(sent).toEqual([]);
      const [second] = await host.approvals.list({ status: "pending" });
      expect(second?.input).toEqual({ text: "two" });
      expect(second?.id).not.toBe(first?.id);
    });
  }, 60_000);

  it("with edits that a deny forbids does not run", async () => {
    await withOther(async ({ host, other }) => {
      const { tool, sent } = sendTool();
      const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
      const options = { tools: [tool], approvals: "durable", disallowedTools: ["send(secret)"] } as const;
      const read = begin(host, turns, options);
      const id = await asked(read, "c1");
      expect(await other.decide(id, true, { updatedInput: { text: "secret" } })).toBe("won");
      await read.result;
      expect(sent).toEqual([]);
      expect(resultsIn(read).c1).toMatch(/send\(secret\)/);
    });
  }, 60_000);

  it("after its time, and behind an interrupt, is a typed error", async () => {
    await withOther(async ({ host, other }) => {
      const { tool, sent } = sendTool();
      const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
      const late = begin(host, turns, { tools: [tool], approvals: { mode: "durable", expiresInMs: 30 } });
      const id = await asked(late, "c1");
      await late.result;
      expect(await other.decide(id, true)).toBe("approval_expired");
      expect(resultsIn(late).c1).toMatch(/Nobody answered in time/);

      const stopped = begin(host, turns, { tools: [tool], approvals: "durable" });
      const second = await asked(stopped, "c1");
      await stopped.query.interrupt();
      await stopped.result;
      expect(await other.decide(second, true)).toBe("approval_expired");
      expect(sent).toEqual([]);
    });
  }, 60_000);

  it("during an interrupt runs nothing, whichever of them is first", async () => {
    await withOther(async ({ host, other }) => {
      for (let i = 0; i < 10; i += 1) {
        const { tool, sent } = sendTool();
        const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
        const read = begin(host, turns, { tools: [tool], approvals: "durable" });
        const id = await asked(read, "c1");
        const [came] = await Promise.all([other.decide(id, true), read.query.interrupt()]);
        const result = await read.result;
        expect(["won", "approval_expired"]).toContain(came);
        // Who approved before the interrupt was heard may have let it run; then it is told, and never twice.
        if (result.terminal_reason === "interrupted")
          expect(sent.length).toBeLessThanOrEqual(came === "won" ? 1 : 0);
        else expect([came, sent]).toEqual(["won", ["hello"]]);
        expect(await other.decide(id, true)).not.toBe("won");
        expect(await host.approvals.list({ status: "pending" })).toEqual([]);
      }
    });
  }, 60_000);

  it("after the policy has come to deny the call does not let it run, on a resume and in the run", async () => {
    await withOther(async ({ host, other }) => {
      const { tool, sent } = sendTool();
      const options = { tools: [tool], approvals: pausing };
      const read = begin(host, [{ toolCalls: [call("c1", "hello")] }], options);
      const { session_id: resume } = await read.result;
      const [record] = await host.approvals.list();
      expect(await other.decide(record?.id ?? "", true)).toBe("won");
      const on = begin(
        host,
        [{ text: "done" }],
        { ...options, resume, disallowedTools: ["send(hello)"] },
        "",
      );
      await on.result;
      expect(resultsIn(on).c1).toMatch(/send\(hello\)/);

      const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
      const live = begin(host, turns, { tools: [tool], approvals: "durable" });
      const id = await asked(live, "c1");
      await live.query.setPermissionMode("dontAsk");
      await live.result;
      expect(await other.decide(id, true)).toBe("approval_expired");
      expect(sent).toEqual([]);
    });
  }, 60_000);

  async function withOther(
    test: (parts: {
      readonly host: ReturnType<typeof hostOver>;
      readonly other: Awaited<ReturnType<typeof otherProcess>>;
    }) => Promise<void>,
  ): Promise<void> {
    const home = scratch();
    const host = hostOver(open({ home }));
    const other = await otherProcess({ kind, home, by: "ann" });
    try {
      await test({ host, other });
    } finally {
      await other.end();
    }
  }
});

function decideHere(host: ReturnType<typeof hostOver>, id: string): Promise<string> {
  return host.approvals.approve(id, { by: "bob" }).then(
    () => "won",
    (error: { code: string }) => error.code,
  );
}
