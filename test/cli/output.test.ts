import { access, open, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { scratch } from "./scratch.ts";

// An escape sequence, the clipboard (OSC 52), a C1 control, an overwritten line, a turned word, a hidden tag.
const ATTACK =
  "a\u001b[2J\u001b]52;c;ZXZpbA==\u0007b\u009b31mc\rd\u202ee\u2066f\u{e0041}g\u200bh\u2028i\u0008j\u007fk";
const UNSAFE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const attackTurns = [
  { text: ATTACK, toolCalls: [{ name: ATTACK, input: { command: ATTACK } }] },
  {
    toolCalls: [
      { name: "Read", input: { file_path: ATTACK } },
      { name: "Bash", input: { command: `echo '${ATTACK}'` } },
    ],
  },
  { toolCalls: [{ name: "Read", input: { file_path: "attack.txt" } }] },
  ATTACK,
];

describe("text", () => {
  it("puts the model's text alone on standard output", async () => {
    const place = await scratch();
    await writeFile(join(place.work, "a.txt"), "secret line\n");
    const model = await place.script([
      { text: "I read.", toolCalls: [{ name: "Read", input: { file_path: "a.txt" } }] },
      "First line\nlast line",
    ]);
    const { code, stdout, stderr } = await runCli(place, ["run", "go", "--model", model]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "I read.\nFirst line\nlast line\n" });
    expect(stderr).toBe("● Read a.txt\n  └ 1 secret line\n");
  });

  it("lets nothing out that acts on a terminal or hides text", async () => {
    const place = await scratch();
    await writeFile(join(place.work, "attack.txt"), `${ATTACK}\n`);
    const model = await place.script(attackTurns);
    const { stdout, stderr } = await runCli(place, ["run", "go", "--model", model, "--debug"]);
    expect(stdout).toContain("a�[2J�]52;c;ZXZpbA==�b�31mc\nd�e�f�g�h�i�j�k");
    expect(stderr).toContain("● a�[2J�]52;");
    expect(UNSAFE.exec(stdout + stderr)).toBeNull();
  });

  it("keeps such text out of its own errors", async () => {
    const place = await scratch();
    for (const args of [
      ["run", "go", "--model", `scripted:/${ATTACK}.json`],
      [ATTACK],
      ["run", "go", `--${ATTACK}`],
    ]) {
      const { stderr, stdout } = await runCli(place, args);
      expect(stderr.length).toBeGreaterThan(20);
      expect(UNSAFE.exec(stdout + stderr)).toBeNull();
    }
  });
});

describe("json", () => {
  it.each([["--json"], ["--output-format", "json"]])(
    "%s prints the result, and nothing else",
    async (...flags) => {
      const place = await scratch();
      const { code, stdout, stderr } = await runCli(place, [
        "run",
        "go",
        ...flags,
        "--model",
        await place.script([ATTACK]),
      ]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout.split("\n")).toHaveLength(2);
      expect(JSON.parse(stdout)).toMatchObject({ type: "result", subtype: "success", result: ATTACK });
      expect(UNSAFE.exec(stdout)).toBeNull();
    },
  );

  it("prints the result of a failure, too, and says it on standard error", async () => {
    const place = await scratch();
    const model = await place.script([{ error: "it broke" }]);
    const { code, stdout, stderr } = await runCli(place, ["run", "go", "--json", "--model", model]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      type: "result",
      is_error: true,
      errors: [expect.stringContaining("it broke")],
    });
    expect(stderr).toContain("castellan: ");
  });
});

describe("stream-json", () => {
  it("prints a message a line, deltas only when asked", async () => {
    const place = await scratch();
    await writeFile(join(place.work, "attack.txt"), `${ATTACK}\n`);
    const model = await place.script(attackTurns);
    const types = async (...flags: string[]) => {
      const { stdout } = await runCli(place, [
        "run",
        "go",
        "--output-format",
        "stream-json",
        "--model",
        model,
        ...flags,
      ]);
      expect(UNSAFE.exec(stdout)).toBeNull();
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).type as string);
    };
    const plain = await types();
    expect(plain[0]).toBe("system");
    expect(plain.at(-1)).toBe("result");
    expect(plain.filter((type) => type === "assistant")).toHaveLength(4);
    expect(plain.filter((type) => type === "user")).toHaveLength(4);
    expect(plain).not.toContain("stream_event");
    expect(await types("--include-partial-messages")).toContain("stream_event");
  });
});

describe("standard output that goes away", () => {
  it("ends the run without a word when the reader leaves", async () => {
    const place = await scratch();
    const model = await place.script([
      { text: "Much to say.", toolCalls: [{ name: "Bash", input: { command: "true" } }] },
      // By now the reader has left, so that this text is what finds the pipe broken.
      {
        text: "And more.",
        delayMs: 1_000,
        toolCalls: [{ name: "Bash", input: { command: "sleep 20; touch made" } }],
      },
      "x",
    ]);
    const { code, signal, stderr } = await runCli(place, ["run", "go", "--model", model, "--allow", "Bash"], {
      out: (text, child) => {
        if (text.includes("say")) child.stdout?.destroy();
      },
    });
    expect([code, signal]).toEqual([130, null]);
    expect(stderr).not.toContain("EPIPE");
    expect(stderr).not.toMatch(/\n\s+at /);
    await expect(access(join(place.work, "made"))).rejects.toThrow();
  });

  it("is a failure where it cannot be written", async () => {
    const place = await scratch();
    const file = await open(await realpath(process.execPath), "r");
    const end = await runCli(place, ["run", "go", "--model", await place.script(["Done."])], {
      stdout: file.fd,
    });
    await file.close();
    expect(end.code).not.toBe(0);
    expect(end.stderr).toContain("castellan: standard output cannot be written: ");
  });
});
