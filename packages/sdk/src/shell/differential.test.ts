import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";
import { createLineGenerator } from "./line-generator.ts";

const count = Number(process.env.CASTELLAN_SHELL_LINES ?? process.env.CASTELLAN_RUNS ?? 200);
const seed = Number(process.env.CASTELLAN_SHELL_SEED ?? 20260701);
const FIELD = "\x1f";

let root = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "castellan-shell-"));
  const bin = join(root, "bin");
  await mkdir(bin);
  // The marker says that it ran, with which arguments, and eats a piped input so that writers do not fail.
  for (const name of ["m1", "m2", "m3", "m4"]) {
    const script = `l=${name}\nfor a in "$@"; do l="$l${FIELD}$a"; done\nprintf '%s\\036' "$l" >> "$MARKER_LOG"\n`;
    await writeFile(join(bin, name), `#!/bin/sh\n${script}`);
    await chmod(join(bin, name), 0o755);
  }
});

afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

/** Runs the line under bash and gives back every marker that really ran. */
async function executed(line: string, index: number): Promise<readonly string[]> {
  const cwd = join(root, `run-${index}`);
  const log = join(root, `log-${index}`);
  await mkdir(cwd);
  await writeFile(log, "");
  await new Promise<void>((done) => {
    const child = execFile(
      "bash",
      ["--norc", "--noprofile", "-c", line],
      {
        cwd,
        timeout: 5_000,
        env: { PATH: `${join(root, "bin")}:/usr/bin:/bin`, MARKER_LOG: log, HOME: cwd, LC_ALL: "C.UTF-8" },
      },
      () => done(),
    );
    child.stdin?.end();
  });
  const text = await readFile(log, "utf8");
  await rm(cwd, { recursive: true, force: true });
  // The home of the run is its directory; the analysis knows it as `~`.
  return text.replaceAll(cwd, "~").split("\x1e").filter(Boolean);
}

/** The program of an executed marker, and its arguments, stand among the forms that a deny rule is tried against. */
function isSeen(ran: string, line: string): boolean {
  const analysis = analyseFresh(line);
  if (analysis.opaque.length > 0) return true;
  const text = ran.split(FIELD).join(" ");
  return analysis.commands.some((command) => {
    if (command.denyForms.includes(text)) return true;
    return command.unknownForms.some((form) => matches(form.pieces, text));
  });
}

function matches(pieces: readonly string[], text: string): boolean {
  const pattern = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*");
  return new RegExp(`^${pattern}$`).test(text);
}

describe("against bash itself", () => {
  it("knows every command that bash really ran, with its arguments, or calls the line opaque", {
    timeout: 1_000 * 60 * 60,
  }, async () => {
    const generator = createLineGenerator(seed);
    const lines = Array.from({ length: count }, () => generator.line(2));
    const missed: { line: string; ran: string }[] = [];
    let ran = 0;
    let opaque = 0;
    for (let at = 0; at < lines.length; at += 4) {
      const batch = lines.slice(at, at + 4);
      const results = await Promise.all(batch.map((line, offset) => executed(line, at + offset)));
      batch.forEach((line, offset) => {
        if (analyseFresh(line).opaque.length > 0) opaque += 1;
        for (const each of results[offset] ?? []) {
          ran += 1;
          if (!isSeen(each, line)) missed.push({ line, ran: each.split(FIELD).join(" ") });
        }
      });
    }
    expect(missed).toEqual([]);
    // The test proves nothing when little ran or all was opaque.
    expect(ran).toBeGreaterThan(count / 2);
    expect(opaque).toBeLessThan(count * 0.7);
  });
});
