import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../../platform/index.ts";
import { builtinKit, type Kit } from "../test-kit.ts";
import { FILE_TYPES } from "./file-types.ts";
import { findRipgrep } from "./find-ripgrep.ts";

let kit: Kit;
afterEach(() => kit.remove());

describe("Grep", () => {
  it("gives paths, lines or counts", async () => {
    kit = await builtinKit();
    await kit.put("b.txt", "one\ntwo\none one\n");
    await kit.put("a/c.txt", "one\n");
    expect((await kit.call("Grep", { pattern: "one" })).text).toBe("a/c.txt\nb.txt");
    expect((await kit.call("Grep", { pattern: "one", output_mode: "count" })).text).toBe(
      "a/c.txt:1\nb.txt:2",
    );
    expect((await kit.call("Grep", { pattern: "one", output_mode: "content", path: "b.txt" })).text).toBe(
      "b.txt:1:one\nb.txt:3:one one",
    );
    expect((await kit.call("Grep", { pattern: "two", output_mode: "content", "-C": 1 })).text).toBe(
      "b.txt-1-one\nb.txt:2:two\nb.txt-3-one one",
    );
    expect((await kit.call("Grep", { pattern: "three" })).text).toBe("No matches.");
  });

  it("shows 250 entries and says how to go on", async () => {
    kit = await builtinKit();
    await kit.put("many.txt", "hit\n".repeat(1000));
    const { text } = await kit.call("Grep", { pattern: "hit", output_mode: "content" });
    expect(text.split("\n")).toHaveLength(251);
    expect(text).toContain("Go on with offset: 250");
    const next = await kit.call("Grep", {
      pattern: "hit",
      output_mode: "content",
      offset: 250,
      head_limit: 1,
    });
    expect(next.text.split("\n")[0]).toBe("many.txt:251:hit");
    await Promise.all(Array.from({ length: 300 }, (_, index) => kit.put(`d/f${index}`, "needle")));
    const files = await kit.call("Grep", { pattern: "needle" });
    expect(files.text.split("\n")).toHaveLength(251);
    expect(files.text).toContain("files 1 to 250 of 300 are shown");
  });

  it("obeys no configuration file of ripgrep", async () => {
    kit = await builtinKit();
    const rc = await kit.put("rc", "--invert-match\n--no-ignore\n");
    const inner = await builtinKit({ env: { PATH: process.env.PATH ?? "", RIPGREP_CONFIG_PATH: rc } });
    await inner.put("a.txt", "one\ntwo\n");
    expect((await inner.call("Grep", { pattern: "one", output_mode: "content" })).text).toBe("a.txt:1:one");
    await inner.remove();
  });

  it("stops when it is interrupted", async () => {
    kit = await builtinKit();
    await kit.put("a.txt", "one\n");
    const aborted = AbortSignal.abort();
    expect((await kit.call("Grep", { pattern: "one" }, aborted)).isError).toBe(true);
    const slow = await builtinKit({ ripgrep: false });
    expect((await slow.call("Grep", { pattern: "one" }, aborted)).isError).toBe(true);
    await slow.remove();
  });

  it("runs the program that was given, in the root, with nothing that could pass for a flag", async () => {
    kit = await builtinKit();
    const log = join(kit.cwd, "arguments");
    const fake = await kit.put(
      "fake-rg",
      `#!/bin/sh\npwd > '${log}'\nfor a; do printf '%s\\n' "$a" >> '${log}'; done\n`,
    );
    await chmod(fake, 0o755);
    const inner = await builtinKit({ ripgrep: fake });
    await inner.put("-x/--pre=evil.txt", "");
    await inner.call("Grep", { pattern: "--pre=evil", path: "-x/--pre=evil.txt", glob: "--pre=evil" });
    const lines = (await readFile(log, "utf8")).trim().split("\n");
    expect(lines[0]).toBe(join(inner.cwd, "-x"));
    expect(lines).toContain("--regexp=--pre=evil");
    expect(lines.slice(-2)).toEqual(["--", "./--pre=evil.txt"]);
    expect(lines.filter((line) => line.startsWith("--pre"))).toEqual([]);
    await inner.remove();
  });

  it("refuses what cannot be searched", async () => {
    kit = await builtinKit();
    expect((await kit.call("Grep", { pattern: "a\\nb" })).text).toContain("set multiline");
    expect((await kit.call("Grep", { pattern: "a\nb" })).text).toContain("set multiline");
    expect((await kit.call("Grep", { pattern: "[^\\n]x" })).text).toBe("No matches.");
    expect((await kit.call("Grep", { pattern: "\\\\n" })).text).toBe("No matches.");
    expect((await kit.call("Grep", { pattern: "a\0" })).text).toContain("zero byte");
    expect((await kit.call("Grep", { pattern: "a", path: "gone" })).text).toContain("does not exist");
    expect((await kit.call("Grep", { pattern: "a", type: "--pre=x" })).isError).toBe(true);
    expect((await kit.call("Grep", { pattern: "" })).isError).toBe(true);
  });

  it("knows a ripgrep that is there, and none where there is none", async () => {
    kit = await builtinKit();
    const { fs } = nodePlatform();
    expect(await findRipgrep(fs, false)).toBeUndefined();
    expect(await findRipgrep(fs, "/no/such/rg")).toBeUndefined();
    expect(await findRipgrep(fs, undefined)).toMatch(/rg(\.exe)?$/);
  });

  it("counts the same names to a type as ripgrep does", async () => {
    kit = await builtinKit();
    const rg = (await findRipgrep(nodePlatform().fs, undefined)) ?? "";
    await writeFile(join(kit.cwd, "run.sh"), "");
    const { text } = await kit.call("Bash", { command: `'${rg}' --type-list` });
    const theirs = new Map(text.split("\n").map((line) => line.split(": ") as [string, string]));
    for (const [type, globs] of FILE_TYPES)
      expect([type, globs.join(", ")]).toEqual([type, theirs.get(type)]);
  });
});
