import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SDKMessage } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { built } from "../setup/built.ts";
import { runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";

/** Each starts some ten processes. */
const PATIENCE_MS = 120_000;

async function played(place: Scratch, flags: readonly string[] = []): Promise<string> {
  const model = await place.script([{ text: "hi" }, { text: "again" }]);
  const { code, stdout } = await runCli(place, ["run", "Hello", "--json", "--model", model, ...flags]);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { session_id: string }).session_id;
}

/** What a shell makes of a command line in this place. */
async function inShell(
  place: Scratch,
  line: string,
): Promise<{ stdout: string; stderr: string; code: number }> {
  const { bin } = await built();
  const errors = join(place.tmp, "errors.txt");
  const script = `castellan() { "${process.execPath}" "${bin}" "$@"; }\n${line} 2>"${errors}"\necho "codes: \${PIPESTATUS[0]}"`;
  const out = execFileSync("bash", ["-c", script], {
    cwd: place.work,
    env: { ...process.env, CASTELLAN_HOME: place.home, HOME: place.work },
    encoding: "utf8",
  });
  const [, stdout = "", code = ""] = /^([\s\S]*)codes: (\d+)\n$/.exec(out) ?? [];
  return { stdout, stderr: readFileSync(errors, "utf8"), code: Number(code) };
}

describe("castellan sessions, where something is odd", () => {
  it("reads without a store make none", async () => {
    const place = await scratch();
    const home = join(place.tmp, "none");
    for (const args of [["list"], ["show", "x"], ["export", "x"], ["prune", "--older-than", "1"]]) {
      await runCli({ ...place, home }, ["sessions", ...args]);
    }
    expect(existsSync(home)).toBe(false);
  });

  it("an empty id is a mistake of its own", async () => {
    const place = await scratch();
    await played(place);
    for (const command of ["show", "rm", "fork", "export", "resume"]) {
      expect(await runCli(place, ["sessions", command, " "])).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining("The id is empty."),
      });
    }
  });

  it.skipIf(process.platform === "win32")(
    "a reader that has enough is no failure, a full disk is, told once",
    async () => {
      const place = await scratch();
      const id = await played(place);
      for (const command of ["list", `show ${id}`, `export ${id}`]) {
        const head = await inShell(place, `castellan sessions ${command} | head -c 1`);
        expect({ command, ...head }).toMatchObject({ code: 0, stderr: "" });
        if (process.platform !== "linux") continue;
        const full = await inShell(place, `castellan sessions ${command} > /dev/full`);
        expect(full.code).toBe(1);
        expect(full.stderr.match(/ENOSPC/g)).toHaveLength(1);
      }
    },
  );

  it("a message that the session does not hold: how to find one", async () => {
    const place = await scratch();
    const id = await played(place);
    const none = await runCli(place, ["sessions", "fork", id, "--at", "nope"]);
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain(`no message nope. Give a uuid of castellan sessions show ${id} --json.`);
  });

  it("an export that cannot be written says where; one that breaks off leaves no part", async () => {
    const place = await scratch();
    const id = await played(place);
    const file = join(place.tmp, "not", "there.jsonl");
    const none = await runCli(place, ["sessions", "export", id, "--output", file]);
    expect(none).toMatchObject({ code: 6, stderr: expect.stringContaining(`${file} cannot be written`) });
    const loud = await place.script([
      { toolCalls: [{ name: "Bash", input: { command: "yes long | head -n 30000" } }] },
      { text: "done" },
    ]);
    const run = await runCli(place, ["run", "go", "--json", "--model", loud, "--allow", "Bash"]);
    const { session_id: long } = JSON.parse(run.stdout) as { session_id: string };
    const artifacts = join(place.home, "artifacts");
    const [folder = ""] = readdirSync(artifacts);
    const [blob = ""] = readdirSync(join(artifacts, folder));
    writeFileSync(join(artifacts, folder, blob), "changed");
    const output = join(place.tmp, "part.jsonl");
    const broken = await runCli(place, ["sessions", "export", long, "--output", output]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain(`${blob} was changed or cut`);
    expect(existsSync(output)).toBe(false);
  });

  it("a torn last line is left out, and cut off by a resume", async () => {
    const place = await scratch();
    const id = await played(place);
    const names = readdirSync(join(place.home, "sessions"), { recursive: true }).map(String);
    const log = join(place.home, "sessions", names.find((name) => name.endsWith("log.jsonl")) ?? "");
    await appendFile(log, '{"v":1,"seq":99,"id"');
    expect(await runCli(place, ["sessions", "show", id])).toMatchObject({ code: 0, stderr: "" });
    const model = await place.script([{ text: "hi" }, { text: "mended" }]);
    const resumed = await runCli(place, ["sessions", "resume", id.slice(0, 30), "more", "--model", model]);
    expect(resumed).toMatchObject({ code: 0, stdout: "mended\n" });
    expect(readFileSync(log, "utf8")).not.toContain('"seq":99');
  });
});

describe("C167: the mode of a session that is resumed at the command line", () => {
  const DANGER = "--allow-dangerously-skip-permissions";

  async function modeAfter(place: Scratch, args: readonly string[]): Promise<unknown> {
    const model = await place.script([{ text: "hi" }, { text: "again" }]);
    const { code, stdout } = await runCli(place, [
      ...args,
      "--model",
      model,
      "--output-format",
      "stream-json",
    ]);
    expect(code).toBe(0);
    const messages = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as SDKMessage);
    const init = messages.find((each) => "subtype" in each && each.subtype === "init");
    return { mode: init !== undefined && "permissionMode" in init ? init.permissionMode : undefined };
  }

  it(
    "is never a stored bypass; a flag wins; settings set it for a new session, and for one that ran in bypass only if they say so",
    async () => {
      const place = await scratch();
      const id = await played(place, ["--permission-mode", "bypassPermissions", DANGER]);
      const copy = async () => (await runCli(place, ["sessions", "fork", id])).stdout.trim();
      const go = async (...flags: string[]) =>
        modeAfter(place, ["run", "more", "--resume", await copy(), ...flags]);
      expect(await go()).toEqual({ mode: "default" });
      expect(await go("--permission-mode", "plan")).toEqual({ mode: "plan" });
      expect(await go("--permission-mode", "plan", DANGER)).toEqual({ mode: "plan" });
      expect(await go(DANGER)).toEqual({ mode: "bypassPermissions" });
      expect(await go("--settings", '{"permissions":{"defaultMode":"acceptEdits"}}')).toEqual({
        mode: "acceptEdits",
      });
      const file = join(place.work, ".castellan", "settings.json");
      await mkdir(join(place.work, ".castellan"), { recursive: true });
      writeFileSync(file, '{"permissions":{"defaultMode":"dontAsk"}}');
      expect(await go("--trust-workspace")).toEqual({ mode: "default" });
      expect(await modeAfter(place, ["run", "new", "--trust-workspace"])).toEqual({ mode: "dontAsk" });
    },
    PATIENCE_MS,
  );

  it(
    "no flag that takes no value swallows the prompt",
    async () => {
      const place = await scratch();
      const id = await played(place);
      for (const flags of [[DANGER], ["--trust-workspace"], ["--debug"]]) {
        const model = await place.script([{ text: "hi" }, { text: "again" }]);
        const forked = (await runCli(place, ["sessions", "fork", id])).stdout.trim();
        const run = await runCli(place, [
          "run",
          "--resume",
          forked,
          "--model",
          model,
          ...flags,
          "the prompt",
        ]);
        expect({ flags, code: run.code }).toEqual({ flags, code: 0 });
        expect((await runCli(place, ["sessions", "show", forked])).stdout).toContain("> the prompt");
      }
      const model = await place.script([{ text: "hi" }, { text: "again" }, { text: "third" }]);
      expect((await runCli(place, ["run", "--model", model, "--continue", "once more"])).code).toBe(0);
      const [newest] = JSON.parse((await runCli(place, ["sessions", "list", "--json"])).stdout);
      expect((await runCli(place, ["sessions", "show", newest.sessionId])).stdout).toContain("> once more");
    },
    PATIENCE_MS,
  );
});
