import { createHash } from "node:crypto";
import { createHost, type Host, type HostOptions } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { asked, begin, call, resultsIn, sendTool } from "./kit.ts";

// What waits with a redactor: the inbox and the log hold what it leaves, and what runs is what was said.

const SECRET = "sk-abcdef";
const hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

type Redact = NonNullable<HostOptions["redact"]>;
const redact: Redact = (event) => JSON.parse(JSON.stringify(event).replaceAll(SECRET, "[key]"));
const pausing = { mode: "durable", onPending: "pause" } as const;

describe.each([
  ["JSONL", jsonlStore],
  ["SQLite", sqliteStore],
] as const)("an approval with a redactor (%s)", (_, open) => {
  /** A process of its own, as far as the store knows. */
  function process(home: string): { readonly host: Host; readonly store: ReturnType<typeof open> } {
    const store = open({ home });
    const host = createHost({ store, redact });
    hosts.push(host, { close: () => store.close() } as Host);
    return { host, store };
  }

  function start(home: string, options: object = {}) {
    const { host, store } = process(home);
    const { tool, sent } = sendTool();
    const turns = [{ toolCalls: [call("c1", `hello ${SECRET}`)] }, { text: "done" }];
    const read = begin(host, turns, { tools: [tool], approvals: "durable", ...options });
    return { host, store, tool, sent, read };
  }

  it("keeps what the redactor leaves, and runs what was said", async () => {
    const { host, store, sent, read } = start(scratch());
    const id = await asked(read, "c1");
    const record = await host.approvals.get(id);
    expect(record).toMatchObject({ input: { text: "hello [key]" }, redacted: [["text"]] });
    expect(JSON.stringify(await host.approvals.list())).not.toContain(SECRET);
    await host.approvals.approve(id, { inputHash: record?.inputHash ?? "" });
    const { session_id: sessionId } = await read.result;
    expect(sent).toEqual([`hello ${SECRET}`]);
    expect(JSON.stringify(await store.read(sessionId))).not.toContain(SECRET);
    expect(JSON.stringify(await store.approvals.list())).not.toContain(SECRET);
  });

  it("is decided by a process that knows no redactor", async () => {
    const home = scratch();
    const { sent, read } = start(home);
    const id = await asked(read, "c1");
    const other = open({ home });
    const host = createHost({ store: other });
    hosts.push(host, { close: () => other.close() } as Host);
    await host.approvals.approve(id, { by: "ann" });
    await read.result;
    expect(sent).toEqual([`hello ${SECRET}`]);
  });

  it("takes an edit that leaves alone what was redacted, and no other", async () => {
    const home = scratch();
    const { host, read } = start(home);
    const id = await asked(read, "c1");
    const refused = { code: "approval_refused", message: expect.stringMatching(/redacted \(text\)/) };
    for (const text of ["hello [key]!", "bye"]) {
      await expect(host.approvals.approve(id, { updatedInput: { text } })).rejects.toMatchObject(refused);
    }
    await host.approvals.reject(id);
    await read.result;
  });

  it("that another process would go on with has lost its input: the call ends, and the model is told", async () => {
    const home = scratch();
    const { host, tool, sent, read } = start(home, { approvals: pausing });
    const { session_id: resume, subtype } = await read.result;
    expect(subtype).toBe("paused");
    const [record] = await host.approvals.list();
    await host.close();
    const later = process(home);
    // Whoever decides cannot know; nothing runs by it.
    await later.host.approvals.approve(record?.id ?? "");
    const on = begin(later.host, [{ text: "done" }], { tools: [tool], approvals: pausing, resume }, "");
    expect(await on.result).toMatchObject({ subtype: "success" });
    expect(sent).toEqual([]);
    expect(resultsIn(on).c1).toMatch(/redacted when it was recorded.*Call it again/);
    expect(await later.host.approvals.list({ status: "pending" })).toEqual([]);
  });

  it("that was not decided ends on such a resume, and is no more in the inbox", async () => {
    const home = scratch();
    const { host, tool, sent, read } = start(home, { approvals: pausing });
    const { session_id: resume } = await read.result;
    const [record] = await host.approvals.list();
    await host.close();
    const later = process(home);
    // Not even where rules allow it by now.
    const options = { tools: [tool], approvals: pausing, resume, allowedTools: ["send"] };
    const on = begin(later.host, [{ text: "done" }], options, "");
    await on.result;
    expect(sent).toEqual([]);
    expect(await later.host.approvals.decisionOf(record?.id ?? "")).toMatchObject({ ended: "lost" });
    await expect(later.host.approvals.approve(record?.id ?? "")).rejects.toMatchObject({
      code: "approval_expired",
      message: expect.stringMatching(/redacted in the log/),
    });
  });

  it("of a hook's rewrite goes on in another process: the hook says it again", async () => {
    const home = scratch();
    const { host, store } = process(home);
    const { tool, sent } = sendTool();
    const hooks = {
      PreToolUse: [
        {
          hooks: [
            async () => ({
              hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { text: `signed ${SECRET}` } },
            }),
          ],
        },
      ],
    } as never;
    const options = { tools: [tool], approvals: pausing, hooks };
    const read = begin(host, [{ toolCalls: [call("c1", "hello")] }], options);
    const { session_id: resume } = await read.result;
    const [record] = await store.approvals.list();
    expect(record?.input).toEqual({ text: "signed [key]" });
    expect(JSON.stringify(await store.read(resume))).not.toContain(SECRET);
    await host.close();
    const later = process(home);
    await later.host.approvals.approve(record?.id ?? "");
    const on = begin(later.host, [{ text: "done" }], { ...options, resume }, "");
    await on.result;
    expect(sent).toEqual([`signed ${SECRET}`]);
  });

  it("with an edit that the log holds redacted runs the edit as it was made, after a crash too", async () => {
    const home = scratch();
    const { host, store } = process(home);
    const { tool, sent } = sendTool();
    const options = { tools: [tool], approvals: pausing };
    const read = begin(host, [{ toolCalls: [call("c1", "hello")] }], options);
    const { session_id: resume } = await read.result;
    const [record] = await store.approvals.list();
    const id = record?.id ?? "";
    await host.approvals.approve(id, { updatedInput: { text: `bye ${SECRET}` } });
    // As a process leaves it that was killed right behind `approval.resolved`.
    const events = await store.read(resume);
    const at = events.at(-1)?.seq ?? 0;
    const resolved = {
      ...{ v: 1, seq: at + 1, id: "e-resolved", ts: 1, type: "approval.resolved", critical: true },
      data: {
        ...{ approvalId: id, callId: "c1", behavior: "approve", by: "human" },
        ...{ updatedInput: { text: "bye [key]" }, editHash: hashOf({ text: `bye ${SECRET}` }) },
      },
    } as const;
    const batch = { sessionId: resume, project: "/p", expectedSeq: at, batchId: "b", events: [resolved] };
    await host.close();
    await store.append([batch as never]);
    await store.close();
    const later = process(home);
    const on = begin(later.host, [{ text: "done" }], { ...options, resume }, "");
    await on.result;
    expect(sent).toEqual([`bye ${SECRET}`]);
  });

  it("with such an edit, and no decision left to read it from, is asked about anew", async () => {
    const home = scratch();
    const { host, store } = process(home);
    const { tool, sent } = sendTool();
    const options = { tools: [tool], approvals: pausing };
    const read = begin(host, [{ toolCalls: [call("c1", "hello")] }], options);
    const { session_id: resume } = await read.result;
    const [record] = await store.approvals.list();
    const id = record?.id ?? "";
    const events = await store.read(resume);
    const at = events.at(-1)?.seq ?? 0;
    const resolved = {
      ...{ v: 1, seq: at + 1, id: "e-resolved", ts: 1, type: "approval.resolved", critical: true },
      data: {
        ...{ approvalId: id, callId: "c1", behavior: "approve", by: "human" },
        ...{ updatedInput: { text: "bye [key]" }, editHash: hashOf({ text: `bye ${SECRET}` }) },
      },
    } as const;
    const batch = { sessionId: resume, project: "/p", expectedSeq: at, batchId: "b", events: [resolved] };
    await host.close();
    await store.append([batch as never]);
    await store.approvals.remove(id);
    await store.close();
    const later = process(home);
    const on = begin(later.host, [], { ...options, resume }, "");
    expect(await on.result).toMatchObject({ subtype: "paused" });
    expect(sent).toEqual([]);
    const [anew] = await later.host.approvals.list({ status: "pending" });
    expect([anew?.id === id, anew?.input]).toEqual([false, { text: "hello" }]);
  });
});

it("offers no rule to remember that holds what is redacted", async () => {
  const store = jsonlStore({ home: scratch() });
  const host = createHost({ store, redact });
  hosts.push(host, { close: () => store.close() } as Host);
  const bash = { id: "c1", name: "Bash", input: { command: `touch ${SECRET}` } };
  const read = begin(host, [{ toolCalls: [bash] }, { text: "done" }], {
    tools: ["Bash"],
    approvals: "durable",
  });
  const id = await asked(read, "c1");
  const record = await host.approvals.get(id);
  expect(JSON.stringify(record)).not.toContain(SECRET);
  expect(JSON.stringify(record?.suggestions)).not.toContain("[key]");
  await host.approvals.approve(id);
  expect(await read.result).toMatchObject({ subtype: "success" });
});

it("of a turn loses those calls alone whose input was redacted", async () => {
  const home = scratch();
  const store = jsonlStore({ home });
  const host = createHost({ store, redact });
  hosts.push(host, { close: () => store.close() } as Host);
  const send = sendTool("send");
  const options = { tools: [send.tool], approvals: pausing };
  const calls = [call("c1", "hello"), call("c2", `x ${SECRET}`, "send")];
  const read = begin(host, [{ toolCalls: calls }], options);
  const { session_id: resume } = await read.result;
  for (const { id } of await host.approvals.list()) await host.approvals.approve(id);
  const on = begin(host, [{ text: "done" }], { ...options, resume }, "");
  await on.result;
  expect(send.sent).toEqual(["hello"]);
  expect(resultsIn(on)).toMatchObject({ c1: "sent hello", c2: expect.stringMatching(/redacted/) });
});

function hashOf(input: { text: string }): string {
  // The hash of an input is that of its JSON with sorted keys.
  return createHash("sha256").update(JSON.stringify(input)).digest("hex");
}
