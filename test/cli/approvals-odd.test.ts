import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalRecord } from "@castellan/sdk";
import { expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";

// What a person may meet with `castellan approvals`: homes that are not there, files that are broken, odd texts.

const EMPTY = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

function put(place: Scratch, id: string, more: Partial<ApprovalRecord> = {}): void {
  const folder = join(place.home, "approvals");
  mkdirSync(folder, { recursive: true });
  const record = {
    ...{ id, sessionId: "s", toolUseId: "c1", tool: "send", input: {}, inputHash: EMPTY, policyVersion: "p" },
    ...{
      reason: { type: "undecided", detail: "" },
      suggestions: [],
      title: `send: ${id}`,
      requestedAt: Date.now(),
    },
    ...{ approver: "human", status: "pending", message: "send needs an approval.", ...more },
  };
  writeFileSync(join(folder, `${id}.json`), JSON.stringify(record));
}

const approvals = (place: Scratch, ...args: readonly string[]) => runCli(place, ["approvals", ...args]);

it("a home that is not there holds nothing, and is not made by looking", async () => {
  const place = await scratch();
  const env = { CASTELLAN_HOME: join(place.home, "fresh") };
  for (const [args, code, says] of [
    [["list"], 0, /Nothing is pending/],
    [["list", "--status", "all"], 0, /Nothing is there/],
    [["list", "--status", "open"], 2, /pending/],
    [["show", "x"], 1, /no approval x/],
    [["show", ""], 1, /no approval/],
    [["approve", "x"], 1, /no approval x/],
    [["reject", "../../etc"], 1, /no approval/],
    [["approve"], 2, /missing required argument/],
    [["nonsense"], 2, /nonsense/],
  ] as const) {
    const end = await runCli(place, ["approvals", ...args], { env });
    expect([args, end.code, end.stdout]).toEqual([args, code, ""]);
    expect(end.stderr).toMatch(says);
  }
  const json = await runCli(place, ["approvals", "list", "--json"], { env });
  expect([json.code, json.stdout]).toEqual([0, "[]\n"]);
  expect(existsSync(env.CASTELLAN_HOME)).toBe(false);
}, 60_000);

it("a beginning that several have is no name, and one that one has is", async () => {
  const place = await scratch();
  for (const id of ["apr_aa1", "apr_aa2", "apr_b"]) put(place, id);
  const several = await approvals(place, "approve", "aa");
  expect(several).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/2 .*apr_aa1, apr_aa2/),
  });
  expect(await approvals(place, "reject", "b")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("apr_b"),
  });
  expect(await approvals(place, "approve", "apr_aa2")).toMatchObject({ code: 0 });
  // Of those that wait only one is left.
  expect(await approvals(place, "approve", "aa")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("apr_aa1"),
  });
}, 60_000);

it("records that are broken are told, and the rest is there", async () => {
  const place = await scratch();
  put(place, "apr_good");
  for (const [id, text] of [
    ["apr_torn", '{"id":"apr_to'],
    ["apr_list", "[]"],
    ["apr_empty", ""],
  ] as const) {
    writeFileSync(join(place.home, "approvals", `${id}.json`), text);
  }
  const list = await approvals(place, "list");
  expect(list.code).toBe(0);
  expect(list.stdout).toMatch(/^apr_good .*\n$/);
  for (const id of ["apr_torn", "apr_list", "apr_empty"]) expect(list.stderr).toContain(id);
  const shown = await approvals(place, "show", "apr_torn");
  expect([shown.code, shown.stdout]).toEqual([1, ""]);
  expect(shown.stderr).toContain("apr_torn.json");
  // Another file beside them is none of ours.
  writeFileSync(join(place.home, "approvals", "README"), "x");
  const watched = await runCli(place, ["approvals", "watch"], {
    out: (text, child) => void (text.includes("apr_good") && child.kill("SIGINT")),
  });
  expect(watched).toMatchObject({ code: 0, stdout: "apr_good  requested: send: apr_good\n" });
}, 60_000);

it("what acts on a terminal, or hides, is shown and does nothing; wide and long texts stay readable", async () => {
  const place = await scratch();
  const evil = "\u001b[2J\u001b]0;title\u0007rm -rf /\u202e\u200b\r\nls";
  const input = { command: `${evil} ${"長い".repeat(4_000)}` };
  const hash = (await import("node:crypto")).createHash("sha256").update(JSON.stringify(input)).digest("hex");
  put(place, "apr_evil", { tool: "Bash", input, inputHash: hash, title: `Bash: ${evil}`, message: evil });
  for (const args of [["list"], ["show", "apr_evil"], ["list", "--json"], ["show", "apr_evil", "--json"]]) {
    const { code, stdout } = await approvals(place, ...args);
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come
    expect(stdout.match(/[\u0000-\u0008\u000b-\u001f\u007f\u200b\u202e]/)?.[0]).toBeUndefined();
    expect(stdout.includes("rm -rf /")).toBe(true);
  }
  const [list, shown] = [await approvals(place, "list"), await approvals(place, "show", "evil")];
  expect(list.stdout.split("\n")).toHaveLength(2);
  // A person must be able to see all of what runs.
  expect(shown.stdout.includes("長い".repeat(4_000))).toBe(true);
  // Each line of the call is indented: none passes for one of ours.
  expect(shown.stdout.split("\n").filter((line) => /^(ls|status {2,})/.test(line))).toHaveLength(1);
  const json = JSON.parse((await approvals(place, "list", "--json")).stdout) as ApprovalRecord[];
  expect(json[0]?.input).toEqual(input);
  const done = await approvals(place, "reject", "evil", "--reason", evil, "--by", "a\u001b[31mb");
  expect(done.code).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  expect(/[\u001b\u202e]/.test((await approvals(place, "show", "evil")).stdout)).toBe(false);
}, 60_000);

it("takes an edit from a file, and tells what was redacted", async () => {
  const place = await scratch();
  put(place, "apr_a");
  const file = join(place.work, "input.json");
  writeFileSync(file, '\ufeff{\n  "text": "changed"\n}\n');
  const { code, stdout } = await approvals(place, "approve", "a", "--input", `@${file}`, "--json");
  expect([code, JSON.parse(stdout).decision.updatedInput]).toEqual([0, { text: "changed" }]);
  put(place, "apr_b", { shownHash: EMPTY, inputHash: "0".repeat(64), redacted: [["headers", "auth"]] });
  expect((await approvals(place, "show", "apr_b")).stdout).toMatch(/redacted +headers\.auth/);
  const edit = JSON.stringify({ headers: { auth: "mine" } });
  expect(await approvals(place, "approve", "apr_b", "--input", edit)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/redacted \(headers\.auth\)/),
  });
  expect(await approvals(place, "approve", "apr_b")).toMatchObject({ code: 0 });
  expect(readdirSync(join(place.home, "approvals")).sort()).toEqual([
    ...["apr_a.decision.json", "apr_a.json", "apr_b.decision.json", "apr_b.json"],
  ]);
}, 60_000);
