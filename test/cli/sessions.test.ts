import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type SessionInfo } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";
import { inTerminal } from "./terminal.ts";

const EVIL =
  "\u001b[31mred\u0007 \u202Eesrever\u202C שלום עולם 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 \n second line";

async function played(place: Scratch, prompt = "Hello", flags: readonly string[] = []): Promise<string> {
  const model = await place.script([{ text: "hi there" }]);
  const { code, stdout, stderr } = await runCli(place, ["run", prompt, "--json", "--model", model, ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return (JSON.parse(stdout) as { session_id: string }).session_id;
}

async function listed(place: Scratch): Promise<readonly SessionInfo[]> {
  const { code, stdout } = await runCli(place, ["sessions", "list", "--json"]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as SessionInfo[];
}

describe("castellan sessions", () => {
  it("list, show, fork, rm: by a beginning of the id, for people and as JSON", async () => {
    const place = await scratch();
    expect(await runCli(place, ["sessions", "list"])).toMatchObject({ code: 0, stdout: "no sessions\n" });
    const id = await played(place, "Hello\u202E there", ["--title", "A name"]);
    expect(await listed(place)).toMatchObject([
      { sessionId: id, title: "A name", status: "done", project: place.work },
    ]);
    const table = await runCli(place, ["sessions", "list"]);
    expect(table.stdout).toMatch(new RegExp(`^ID +AGE +STATUS +TITLE\n${id} +\\d+s  done +A name\n$`));
    const short = id.slice(0, -2);
    const shown = await runCli(place, ["sessions", "show", short]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`session ${id}\ntitle   A name\nstatus  done\n`);
    expect(shown.stdout).toContain("> Hello\u{fffd} there\nhi there\n");
    const json = JSON.parse((await runCli(place, ["sessions", "show", id, "--json"])).stdout);
    expect(json).toMatchObject({ session: { sessionId: id }, messages: { length: expect.any(Number) } });
    const [prompt] = json.messages;
    const fork = await runCli(place, [
      "sessions",
      "fork",
      short,
      "--at",
      json.messages[0].uuid,
      "--title",
      "Copy",
    ]);
    expect(fork).toMatchObject({ code: 0, stderr: "" });
    expect(prompt).toBeDefined();
    const [copy] = (await listed(place)).filter(({ sessionId }) => sessionId === fork.stdout.trim());
    expect(copy).toMatchObject({ title: "Copy" });
    expect(await runCli(place, ["sessions", "rm", fork.stdout.trim()])).toMatchObject({
      code: 0,
      stdout: `deleted ${fork.stdout}`,
    });
    expect(await listed(place)).toHaveLength(1);
  });

  it("resume goes on by a beginning of the id", async () => {
    const place = await scratch();
    const id = await played(place);
    const model = await place.script([{ text: "hi there" }, { text: "again" }]);
    const args = ["sessions", "resume", id.slice(0, 20), "And now?", "--model", model, "--json"];
    const { code, stdout, stderr } = await runCli(place, args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ session_id: id, result: "again" });
  });

  it("export to a file that only its owner reads, and import elsewhere", async () => {
    const place = await scratch();
    const id = await played(place);
    const file = join(place.work, "out.jsonl");
    const out = await runCli(place, ["sessions", "export", id, "--output", file, "--json"]);
    expect(JSON.parse(out.stdout)).toEqual({ sessionId: id, file });
    expect(statSync(file).mode & 0o077).toBe(0);
    const piped = await runCli(place, ["sessions", "export", id]);
    const timeless = (text: string) => text.replace(/"exportedAt":\d+/, "");
    expect(timeless(piped.stdout)).toBe(timeless(readFileSync(file, "utf8")));
    expect((await runCli(place, ["sessions", "export", id, "--output", file])).code).toBe(2);
    const there = await scratch();
    const taken = await runCli(there, ["sessions", "import", file]);
    expect(taken).toMatchObject({ code: 0, stdout: `${id}\n`, stderr: "" });
    const again = await runCli(there, ["sessions", "import", "-", "--json"], { input: piped.stdout });
    expect(JSON.parse(again.stdout)).toMatchObject({ isNewId: true, artifacts: 0 });
    expect((await listed(there)).map(({ project }) => project)).toEqual([there.work, there.work]);
    writeFileSync(file, "{}\n");
    expect(await runCli(there, ["sessions", "import", file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not the header"),
    });
    expect((await runCli(there, ["sessions", "import", join(place.work, "gone")])).code).toBe(6);
  });

  it("prune tells what would go, and lets it go", async () => {
    const place = await scratch();
    const id = await played(place);
    const dry = await runCli(place, ["sessions", "prune", "--older-than", "0", "--dry-run"]);
    expect(dry.stdout).toBe(`would delete ${id}\nwould delete 1 sessions and 0 artifacts\n`);
    expect(await listed(place)).toHaveLength(1);
    const kept = await runCli(place, ["sessions", "prune", "--older-than", "0", "--keep", "1", "--json"]);
    expect(JSON.parse(kept.stdout)).toMatchObject({ deleted: [] });
    await runCli(place, ["sessions", "prune", "--older-than", "0"]);
    expect(await listed(place)).toEqual([]);
    expect((await runCli(place, ["sessions", "prune"])).code).toBe(2);
  });

  it("say with their exit code whose mistake it is", async () => {
    const place = await scratch();
    const one = await played(place);
    await played(place);
    for (const command of ["show", "rm", "fork", "export", "resume"]) {
      const none = await runCli(place, ["sessions", command, "zzz"]);
      expect(none).toMatchObject({
        code: 6,
        stdout: "",
        stderr: expect.stringContaining("There is no session zzz"),
      });
    }
    const many = await runCli(place, ["sessions", "rm", one.slice(0, 2)]);
    expect(many).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 sessions begin with .*Give more of the id/),
    });
    expect(await listed(place)).toHaveLength(2);
    expect((await runCli(place, ["sessions", "show"])).code).toBe(2);
    const store = jsonlStore({ home: place.home });
    const events = await store.read(one);
    const [event] = events;
    // Somebody holds it: this very process.
    const append = { sessionId: one, project: place.work, expectedSeq: events.length, batchId: "b" };
    await store.append([
      {
        ...append,
        events: [{ ...event, seq: events.length + 1, type: "hook.ran", critical: undefined } as never],
      },
    ]);
    expect(await listed(place)).toContainEqual(
      expect.objectContaining({ sessionId: one, status: "running" }),
    );
    const busy = await runCli(place, ["sessions", "rm", one]);
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining("is in use") });
    await store.close();
  });

  it("show a log that cannot be read with its reason", async () => {
    const place = await scratch();
    const id = await played(place);
    const [info] = await listed(place);
    const log = info?.log ?? "";
    expect(existsSync(log)).toBe(true);
    const text = readFileSync(log, "utf8");
    writeFileSync(log, text.replace('"type":"model.requested"', '"type":"later.thing","critical":true'));
    const list = await runCli(place, ["sessions", "list"]);
    expect(list.stdout).toMatch(/unreadable +log_too_new\n {2}The log holds "later.thing"/);
    for (const line of list.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const shown = await runCli(place, ["sessions", "show", id]);
    expect(shown).toMatchObject({ code: 6, stdout: expect.stringContaining("release 0.1.0") });
    writeFileSync(log, "not json\n");
    expect((await runCli(place, ["sessions", "list"])).stdout).toContain(id);
    expect((await runCli(place, ["sessions", "show", id])).code).toBe(1);
    expect((await runCli(place, ["sessions", "rm", id])).code).toBe(0);
  });

  it("in a terminal no line of a table is wider than it, whatever a title holds", async () => {
    const place = await scratch();
    const id = await played(place);
    const host = createHost({ store: jsonlStore({ home: place.home }) });
    await host.sessions.rename(id, EVIL);
    await host.sessions.tag(id, ["\u001b]0;title\u0007", "שלום"]);
    await host.close();
    await host.store.close();
    const terminal = await inTerminal(place, ["sessions", "list"], 80);
    expect(await terminal.ended).toBe(0);
    const lines = terminal
      .text()
      .split("\n")
      .filter((line) => line !== "");
    expect(lines).toHaveLength(2);
    for (const bad of ["\u001b[31m", "\u202e", "\u0007"]) expect(terminal.raw()).not.toContain(bad);
    const shown = await inTerminal(place, ["sessions", "export", id], 80);
    expect(await shown.ended).toBe(0);
    for (const bad of ["\u001b[31m", "\u202e"]) expect(shown.raw()).not.toContain(bad);
  });
});
