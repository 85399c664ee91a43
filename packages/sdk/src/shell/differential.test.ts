import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";
import { createLineGenerator } from "./line-generator.ts";

const count = Number(process.env.CASTELLAN_SHELL_LINES ?? process.env.CASTELLAN_RUNS ?? 200);
const seed = Number(process.env.CASTELLAN_SHELL_SEED ?? 20260701);
const ENVIRONMENT = { LC_ALL: "C.UTF-8", FUNCNEST: "8" };
const FIELD = "\x1f";

let root = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "castellan-shell-"));
  const bin = join(root, "bin");
  await mkdir(bin);
  // The marker says that it ran, with which arguments, and eats a piped input so that writers do not fail.
  for (const name of ["m1", "m2", "m3", "m4", "docker", "kubectl", "npm", "aws"]) {
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
    // A group of its own, so that nothing of it is left; and a function that calls itself comes to an end.
    const env = { ...ENVIRONMENT, MARKER_LOG: log, HOME: cwd, PATH: `${join(root, "bin")}:/usr/bin:/bin` };
    const child = spawn("bash", ["--norc", "--noprofile", "-c", line], {
      cwd,
      env,
      detached: true,
      stdio: "ignore",
    });
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // Nothing of it is left.
      }
    };
    const timer = setTimeout(end, 5_000);
    child.on("close", () => {
      clearTimeout(timer);
      // What runs in the background has its time as well.
      setTimeout(() => {
        end();
        done();
      }, 20);
    });
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

/** Whether bash takes the line: `bash -n` reads it whole and runs nothing. */
async function isTaken(line: string): Promise<boolean> {
  return new Promise((done) => {
    const child = execFile("bash", ["--norc", "--noprofile", "-n", "-c", line], { timeout: 5_000 }, (error) =>
      done(error === null),
    );
    child.stdin?.end();
  });
}

/** What comes of lines that are run, and read by `bash -n` as well. */
async function compare(lines: readonly string[]): Promise<{
  readonly missed: readonly { readonly line: string; readonly ran: string }[];
  readonly ran: number;
  readonly opaque: number;
  /** Bash takes them, the analysis does not parse them. */
  readonly stricter: readonly string[];
  /** Bash does not take them, the analysis parses them: what stands before the fault is run, and is seen. */
  readonly laxer: readonly string[];
}> {
  const missed: { line: string; ran: string }[] = [];
  const stricter: string[] = [];
  const laxer: string[] = [];
  let ran = 0;
  let opaque = 0;
  for (let at = 0; at < lines.length; at += 4) {
    const batch = lines.slice(at, at + 4);
    const results = await Promise.all(batch.map((line, offset) => executed(line, at + offset)));
    const taken = await Promise.all(batch.map(isTaken));
    batch.forEach((line, offset) => {
      const codes = analyseFresh(line).opaque.map(({ code }) => code);
      if (codes.length > 0) opaque += 1;
      const parsed = !codes.includes("parse");
      if (taken[offset] === true && !parsed) stricter.push(line);
      if (taken[offset] === false && codes.length === 0) laxer.push(line);
      for (const each of results[offset] ?? []) {
        ran += 1;
        if (!isSeen(each, line)) missed.push({ line, ran: each.split(FIELD).join(" ") });
      }
    });
  }
  return { missed, ran, opaque, stricter, laxer };
}

/** The counts, and a few of the lines that bash and the analysis read differently. */
function report(name: string, total: number, found: Awaited<ReturnType<typeof compare>>): void {
  const { ran, opaque, missed, stricter, laxer } = found;
  const shown = (lines: readonly string[]): string =>
    lines.map((line) => `\n    ${JSON.stringify(line)}`).join("");
  process.stdout.write(
    `${name}: ${total} lines, ${ran} commands run, ${missed.length} of them missed, ${opaque} lines opaque; ` +
      `bash -n: ${stricter.length} taken that are not parsed, ${laxer.length} not taken that are\n` +
      `  taken by bash alone:${shown(stricter)}\n  taken by the analysis alone:${shown(laxer)}\n`,
  );
}

describe("against bash itself", () => {
  it("knows every command that bash really ran, with its arguments, or calls the line opaque", {
    timeout: 1_000 * 60 * 60,
  }, async () => {
    const generator = createLineGenerator(seed);
    const found = await compare(Array.from({ length: count }, () => generator.line(2)));
    report("generated", count, found);
    expect(found.missed).toEqual([]);
    // The test proves nothing when little ran or all was opaque.
    expect(found.ran).toBeGreaterThan(count / 2);
    expect(found.opaque).toBeLessThan(count * 0.7);
    // What the generator writes is bash.
    expect(found.stricter.length).toBeLessThan(count / 50);
    expect(found.laxer.length).toBeLessThan(count / 50);
  });

  it("does so for lines that are broken somewhere", { timeout: 1_000 * 60 * 60 }, async () => {
    const generator = createLineGenerator(seed + 1);
    const total = Math.ceil(count / 4);
    const found = await compare(Array.from({ length: total }, () => generator.broken(1)));
    report("broken", total, found);
    expect(found.missed).toEqual([]);
    expect(found.ran).toBeGreaterThan(total / 10);
    // Bash takes a part of them, and does not take another: both are compared.
    expect(found.opaque).toBeGreaterThan(total / 10);
    expect(found.opaque).toBeLessThan(total * 0.95);
  });
});
