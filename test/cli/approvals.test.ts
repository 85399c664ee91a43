import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalRecord } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";

const touch = (file: string) => ({
  toolCalls: [{ name: "Bash", input: { command: `touch ${file} && echo ${file} >> log` } }],
});
const question = { question: "Which one?", header: "Pick", options: [{ label: "A" }, { label: "B" }] };
const PAUSE = ["--approvals", "durable", "--on-pending", "pause"];

async function run(place: Scratch, turns: readonly unknown[], flags: readonly string[] = PAUSE) {
  const model = await place.script(turns);
  const { code, stdout, stderr } = await runCli(place, ["run", "go", "--json", "--model", model, ...flags]);
  return { code, stderr, result: JSON.parse(stdout) as Record<string, unknown> };
}

async function pending(place: Scratch): Promise<readonly ApprovalRecord[]> {
  const { code, stdout } = await runCli(place, ["approvals", "list", "--json"]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as ApprovalRecord[];
}

async function approvals(place: Scratch, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runCli(place, ["approvals", ...args]);
  return { code, stdout, stderr };
}

/** Goes on with a session. A script stands where the history of its model has come to. */
async function resume(
  place: Scratch,
  sessionId: unknown,
  turns: readonly unknown[] = [{ text: "before" }, { text: "done" }],
) {
  const model = await place.script(turns);
  return runCli(place, ["run", "--resume", String(sessionId), "--model", model, ...PAUSE]);
}

/** Starts a run that waits, and gives it once a call is in the inbox. */
async function waiting(place: Scratch, turns: readonly unknown[]) {
  const model = await place.script(turns);
  let child: ChildProcess | undefined;
  const args = ["run", "go", "--json", "--model", model, "--approvals", "durable"];
  const ended = runCli(place, args, {
    started(process) {
      child = process;
    },
  });
  let found: readonly ApprovalRecord[] = [];
  while (found.length === 0) found = await pending(place);
  const [record] = found;
  if (child === undefined || record === undefined) throw new Error("unreachable");
  return { child, ended, record };
}

describe("castellan approvals", () => {
  it("a run pauses with exit code 5; another process shows, approves and goes on", async () => {
    const place = await scratch();
    const { code, stderr, result } = await run(place, [touch("a")]);
    expect({ code, subtype: result.subtype }).toEqual({ code: 5, subtype: "paused" });
    expect(stderr).toMatch(/castellan approvals/);
    const [record] = await pending(place);
    const id = record?.id ?? "";
    expect(result.pending_approvals).toMatchObject([{ approval_id: id, tool_name: "Bash" }]);
    expect((await approvals(place, "list")).stdout).toMatch(
      new RegExp(`^${id} +\\d+s +pending +Bash: touch a`),
    );
    const shown = await approvals(place, "show", id.slice(0, 10));
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/touch a && echo a >> log/) });
    const done = await approvals(place, "approve", id.slice(4, 10), "--by", "ann", "--note", "fine");
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("approved"),
      stderr: expect.stringContaining("--resume"),
    });
    expect(existsSync(join(place.work, "a"))).toBe(false);
    expect(await pending(place)).toEqual([]);
    expect((await resume(place, result.session_id)).code).toBe(0);
    expect(readFileSync(join(place.work, "log"), "utf8")).toBe("a\n");
    const late = await approvals(place, "approve", id);
    expect(late).toMatchObject({ code: 1, stderr: expect.stringMatching(/decided by ann already/) });
    const json = JSON.parse((await approvals(place, "show", id, "--json")).stdout);
    expect(json).toMatchObject({
      approval: { status: "approved" },
      decision: { decidedBy: "ann", note: "fine" },
    });
  }, 60_000);

  it("a run that waits goes on as soon as another process has approved, and reads a rejection", async () => {
    const place = await scratch();
    const { ended, record } = await waiting(place, [touch("a"), touch("b"), { text: "done" }]);
    expect((await approvals(place, "approve", record.id)).stderr).not.toContain("--resume");
    let found: readonly ApprovalRecord[] = [];
    while (found.length === 0) found = await pending(place);
    const rejected = await approvals(place, "reject", found[0]?.id ?? "", "--reason", "enough", "--json");
    expect(JSON.parse(rejected.stdout)).toMatchObject({
      approval: { status: "rejected" },
      decision: { reason: "enough" },
    });
    expect((await ended).code).toBe(0);
    expect([existsSync(join(place.work, "a")), existsSync(join(place.work, "b"))]).toEqual([true, false]);
  }, 60_000);

  it("a process that is killed between the decision and the call: the resume runs it once", async () => {
    const place = await scratch();
    const { child, ended, record } = await waiting(place, [touch("a"), { text: "done" }]);
    child.kill("SIGSTOP");
    expect((await approvals(place, "approve", record.id)).code).toBe(0);
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(join(place.work, "a"))).toBe(false);
    expect((await resume(place, record.sessionId)).code).toBe(0);
    expect(readFileSync(join(place.work, "log"), "utf8")).toBe("a\n");
    expect((await resume(place, record.sessionId)).code).not.toBe(0);
    expect(readFileSync(join(place.work, "log"), "utf8")).toBe("a\n");
  }, 60_000);

  it("takes edits from the line and from a file, and remembers", async () => {
    const place = await scratch();
    const { result } = await run(place, [touch("a")]);
    const [record] = await pending(place);
    const file = join(place.work, "edit.json");
    writeFileSync(file, JSON.stringify({ command: "touch b" }));
    const id = record?.id ?? "";
    for (const [args, says] of [
      [["--input", "{"], /no JSON/],
      [["--input", "[]"], /no JSON object/],
      [["--input", "@/no/file"], /cannot be read/],
      [["--answer", "A"], /--answer is for questions/],
    ] as const) {
      const { code, stderr } = await approvals(place, "approve", id, ...args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(says) });
    }
    expect((await approvals(place, "approve", id, "--input", `@${file}`)).code).toBe(0);
    await resume(place, result.session_id);
    expect([existsSync(join(place.work, "a")), existsSync(join(place.work, "b"))]).toEqual([false, true]);

    const again = await run(place, [{ toolCalls: [{ name: "Bash", input: { command: "touch c" } }] }]);
    const [other] = await pending(place);
    expect((await approvals(place, "approve", other?.id ?? "", "--remember", "session")).code).toBe(0);
    const on = await resume(place, again.result.session_id, [
      { toolCalls: [{ name: "Bash", input: { command: "touch c" } }] },
      { text: "done" },
    ]);
    expect(on.code).toBe(0);
  }, 60_000);

  it("answers questions", async () => {
    const place = await scratch();
    const ask = { toolCalls: [{ name: "AskUserQuestion", input: { questions: [question] } }] };
    const { code, result } = await run(place, [ask]);
    expect(code).toBe(5);
    const [record] = await pending(place);
    const id = record?.id ?? "";
    expect(await approvals(place, "approve", id)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--answer/),
    });
    expect((await approvals(place, "approve", id, "--answer", "A", "--answer", "B")).code).toBe(2);
    expect((await approvals(place, "approve", id, "--answer", "Pick=B")).code).toBe(0);
    expect((await resume(place, result.session_id)).code).toBe(0);
    const finished = (await place.events()).find((event) => event.type === "tool.finished");
    expect(JSON.stringify(finished?.data)).toContain('\\"Which one?\\": \\"B\\"');
  }, 60_000);

  it("watch prints what waits and what is decided, until it is stopped", async () => {
    const place = await scratch();
    await run(place, [touch("a")]);
    const [record] = await pending(place);
    const id = record?.id ?? "";
    let isApproved = false;
    const { code, stdout } = await runCli(place, ["approvals", "watch", "--json"], {
      out(text, child) {
        if (text.includes('"requested"') && !isApproved) {
          isApproved = true;
          void approvals(place, "approve", id);
        }
        if (text.includes('"decided"')) child.kill("SIGINT");
      },
    });
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: "requested", record: { id } },
      { type: "decided", record: { id, status: "approved" }, decision: { behavior: "approve" } },
    ]);
  }, 60_000);

  it("knows no such approval, and --on-pending needs durable", async () => {
    const place = await scratch();
    expect(await approvals(place, "list")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Nothing is pending.\n",
    });
    expect(await approvals(place, "show", "apr_none")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no approval/),
    });
    expect(await approvals(place, "approve")).toMatchObject({ code: 2 });
    const { code } = await runCli(place, ["run", "go", "--on-pending", "pause"]);
    expect(code).toBe(2);
  });
});
