import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { describe, expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { asked, begin, call, hostOver, resultsIn, sendTool } from "./kit.ts";

const pausing = { mode: "durable", onPending: "pause" } as const;

function one(more: Options = {}, home = scratch()) {
  const host = hostOver(jsonlStore({ home }));
  const { tool, sent } = sendTool();
  const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
  const read = begin(host, turns, { tools: [tool], approvals: "durable", ...more });
  return { host, tool, sent, read, home };
}

describe("a decision", () => {
  it("that comes late, when the call has run, is a typed error and runs nothing", async () => {
    const { host, sent, read } = one();
    const id = await asked(read, "c1");
    await host.approvals.approve(id, { by: "ann" });
    await read.result;
    for (const late of [host.approvals.approve(id), host.approvals.reject(id, { by: "bob" })]) {
      await expect(late).rejects.toMatchObject({
        code: "approval_already_decided",
        message: expect.stringMatching(/ann/),
      });
    }
    expect(sent).toEqual(["hello"]);
  });

  it("about nothing, a changed call, a changed record or with a wrong signature is a typed error", async () => {
    const { host, sent, read, home } = one();
    const id = await asked(read, "c1");
    await expect(host.approvals.approve("apr_none")).rejects.toMatchObject({ code: "approval_not_found" });
    await expect(host.approvals.approve("../x")).rejects.toMatchObject({ code: "approval_not_found" });
    const changed = { code: "approval_changed" };
    await expect(host.approvals.approve(id, { inputHash: "0".repeat(64) })).rejects.toMatchObject(changed);
    await expect(host.approvals.approve(id, { signature: "0".repeat(64) })).rejects.toMatchObject(changed);
    const file = join(home, "approvals", `${id}.json`);
    const kept = readFileSync(file, "utf8");
    writeFileSync(file, kept.replace('"hello"', '"bye"'));
    await expect(host.approvals.approve(id)).rejects.toMatchObject(changed);
    expect(sent).toEqual([]);
    writeFileSync(file, kept);
    await host.approvals.approve(id);
    await read.result;
    expect(sent).toEqual(["hello"]);
  });

  it("that was written beside a changed record runs nothing: the call is asked about anew", async () => {
    const { host, sent, read, home } = one();
    const id = await asked(read, "c1");
    const file = join(home, "approvals", `${id}.json`);
    writeFileSync(file, readFileSync(file, "utf8").replace('"hello"', '"bye"'));
    const word = { behavior: "approve", decidedBy: "eve", decidedAt: 1 };
    writeFileSync(join(home, "approvals", `${id}.decision.json`), JSON.stringify(word));
    const other = await read.until(
      (message) =>
        message.type === "system" && message.subtype === "approval_requested" && message.approval_id !== id,
    );
    expect(sent).toEqual([]);
    if (other.type === "system" && other.subtype === "approval_requested") {
      await host.approvals.reject(other.approval_id);
    }
    await read.result;
    expect(sent).toEqual([]);
  });

  it("with edits is validated and decided again; a deny wins, and what fits runs", async () => {
    const denied = one({ disallowedTools: ["send(secret)"] });
    await denied.host.approvals.approve(await asked(denied.read, "c1"), { updatedInput: { text: "secret" } });
    await denied.read.result;
    expect(denied.sent).toEqual([]);
    expect(resultsIn(denied.read).c1).toMatch(/send\(secret\)/);

    const unfit = one();
    await unfit.host.approvals.approve(await asked(unfit.read, "c1"), { updatedInput: { text: 7 } });
    await unfit.read.result;
    expect(unfit.sent).toEqual([]);
    expect(resultsIn(unfit.read).c1).toMatch(/text/);

    const edited = one();
    const id = await asked(edited.read, "c1");
    const refused = { code: "approval_refused" };
    for (const updatedInput of [[], "x", 7, null] as never[]) {
      await expect(edited.host.approvals.approve(id, { updatedInput })).rejects.toMatchObject(refused);
    }
    await expect(edited.host.approvals.approve(id, { updated_input: {} } as never)).rejects.toMatchObject(
      refused,
    );
    await edited.host.approvals.approve(id, { updatedInput: { text: "hi" } });
    await edited.read.result;
    expect(edited.sent).toEqual(["hi"]);
  });

  it("after the time of the question is a typed error; the call was denied with that reason", async () => {
    const { host, sent, read } = one({ approvals: { mode: "durable", expiresInMs: 30 } });
    const id = await asked(read, "c1");
    const result = await read.result;
    expect(resultsIn(read).c1).toMatch(/Nobody answered in time/);
    expect(resultsIn(read).c1).not.toMatch(/rejected/);
    expect(result.permission_denials).toHaveLength(1);
    await expect(host.approvals.approve(id)).rejects.toMatchObject({ code: "approval_expired" });
    expect((await host.approvals.get(id))?.status).toBe("expired");
    expect(await host.approvals.list({ status: "expired" })).toHaveLength(1);
    expect(sent).toEqual([]);
  });

  it("expires as well while nobody runs the session", async () => {
    const { host, sent, tool, read } = one({ approvals: { ...pausing, expiresInMs: 30 } });
    const { session_id: resume } = await read.result;
    const [record] = await host.approvals.list();
    const id = record?.id ?? "";
    while (((await host.approvals.get(id))?.expiresAt ?? 0) > Date.now()) await new Promise(setImmediate);
    expect(await host.approvals.list({ status: "pending" })).toEqual([]);
    await expect(host.approvals.approve(id)).rejects.toMatchObject({ code: "approval_expired" });
    const on = begin(host, [{ text: "done" }], { tools: [tool], approvals: pausing, resume }, "");
    await on.result;
    expect(resultsIn(on).c1).toMatch(/Nobody answered in time/);
    expect(sent).toEqual([]);
  });

  it("during an interrupt runs nothing, and after it is a typed error", async () => {
    const { host, sent, read } = one();
    const id = await asked(read, "c1");
    const stopping = read.query.interrupt();
    const deciding = host.approvals.approve(id).then(
      () => "approved",
      (error: { code: string }) => error.code,
    );
    await stopping;
    const result = await read.result;
    expect(["approved", "approval_expired"]).toContain(await deciding);
    expect(result.terminal_reason).toBe("interrupted");
    expect(sent).toEqual([]);
    await expect(host.approvals.approve(id)).rejects.toMatchObject({
      code: expect.stringMatching(/^approval_(expired|already_decided)$/),
    });
    expect(await host.approvals.list({ status: "pending" })).toEqual([]);
  });

  it("counts for nothing where the policy has come to deny the call", async () => {
    const { host, sent, tool, read } = one({ approvals: pausing });
    const { session_id: resume } = await read.result;
    const [record] = await host.approvals.list();
    await host.approvals.approve(record?.id ?? "");
    const more = { tools: [tool], approvals: pausing, resume, disallowedTools: ["send(*)"] };
    const on = begin(host, [{ text: "done" }], { ...more, disallowedTools: ["send(hello)"] }, "");
    await on.result;
    expect(sent).toEqual([]);
    expect(resultsIn(on).c1).toMatch(/send\(hello\)/);
  });

  it("is not needed any more where rules have come to allow the call", async () => {
    const { host, sent, tool, read } = one({ approvals: pausing });
    const { session_id: resume } = await read.result;
    const [record] = await host.approvals.list();
    const on = begin(
      host,
      [{ text: "done" }],
      { tools: [tool], approvals: pausing, resume, allowedTools: ["send"] },
      "",
    );
    await on.result;
    expect(sent).toEqual(["hello"]);
    await expect(host.approvals.approve(record?.id ?? "")).rejects.toMatchObject({
      code: "approval_expired",
    });
  });

  it("that remembers settles the next call like it, and nothing but its suggestions may be remembered", async () => {
    const host = hostOver();
    const cwd = scratch();
    const bash = (id: string) => ({ id, name: "Bash", input: { command: "touch a" } });
    const turns = [{ toolCalls: [bash("c1")] }, { toolCalls: [bash("c2")] }, { text: "done" }];
    const read = begin(host, turns, { tools: ["Bash"], cwd, approvals: "durable" });
    const id = await asked(read, "c1");
    const record = await host.approvals.get(id);
    expect(record?.suggestions.length).toBeGreaterThan(0);
    const all = [
      { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "session" },
    ] as const;
    const refused = { code: "approval_refused" };
    await expect(host.approvals.approve(id, { remember: all })).rejects.toMatchObject(refused);
    await expect(host.approvals.approve(id, { remember: "cliArg" })).rejects.toMatchObject(refused);
    await host.approvals.approve(id, { remember: "session" });
    expect(await read.result).toMatchObject({ subtype: "success" });
    expect(await host.approvals.list()).toHaveLength(1);
  });

  it("of a program counts only where a rule with approver auto asked", async () => {
    const rules = (approver?: "auto") => ({
      permissionRules: [{ rule: "send", behavior: "ask", ...(approver === undefined ? {} : { approver }) }],
    });
    const human = one(rules() as Options);
    const id = await asked(human.read, "c1");
    await expect(human.host.approvals.approve(id, { decider: "auto" })).rejects.toMatchObject({
      code: "approval_refused",
    });
    await human.host.approvals.reject(id);
    await human.read.result;
    const auto = one(rules("auto") as Options);
    await auto.host.approvals.approve(await asked(auto.read, "c1"), { decider: "auto" });
    await auto.read.result;
    expect([human.sent, auto.sent]).toEqual([[], ["hello"]]);
  });
});
