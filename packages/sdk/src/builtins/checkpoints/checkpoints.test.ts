import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CheckpointedFile, JsonObject } from "../../protocol/index.ts";
import { builtinKit, type Kit } from "../test-kit.ts";
import { restoreFiles } from "./restore-files.ts";
import type { RestoreEntry, RestoreOptions } from "./restore-types.ts";

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit({ checkpoints: true });
});
afterEach(() => kit.remove());

const at = (file: string) => join(kit.cwd, file);
const text = (file: string) => readFile(at(file), "utf8");
const mode = async (file: string) => (await lstat(at(file))).mode & 0o7777;
const bash = async (command: string) => {
  const answer = await kit.call("Bash", { command });
  if (answer.isError) throw new Error(answer.text);
};
const tool = async (name: string, input: JsonObject) => {
  const answer = await kit.call(name, input);
  if (answer.isError) throw new Error(answer.text);
};

/** As `rewindPlan` of the sessions room: the first baseline, the last known state. */
function entries(): RestoreEntry[] {
  const found = new Map<string, RestoreEntry>();
  for (const { data } of kit.events.filter(({ type }) => type === "file.checkpointed")) {
    for (const { path, before, after } of (data as { files: CheckpointedFile[] }).files) {
      const target = found.get(path)?.target ?? before;
      if (target === undefined) continue;
      const last = after === undefined ? {} : { last: after };
      found.set(path, { path, target, ...last, ...(before === undefined ? {} : { untouched: before }) });
    }
  }
  return [...found.values()];
}

async function rewind(options: Partial<RestoreOptions> = {}, deps = {}) {
  const { platform, artifacts } = kit;
  const record = async (files: readonly CheckpointedFile[]): Promise<void> =>
    void kit.events.push({ type: "file.checkpointed", data: { files } });
  const all = { dryRun: false, force: false, ...options };
  const files = await restoreFiles({ platform, artifacts, record, ...deps }, entries(), all);
  return files.map((file) => ({ ...file, path: file.path.slice(kit.cwd.length + 1) }));
}

/** Names, modes and contents of everything below the directory. */
async function snapshot(folder = kit.cwd): Promise<unknown[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const stats = await lstat(path);
      if (stats.isSymbolicLink()) return [name, "->", await readlink(path)];
      const inside = stats.isDirectory() ? await snapshot(path) : await readFile(path, "latin1");
      return [name, stats.mode & 0o7777, inside];
    }),
  );
}

describe("Edit and Write", () => {
  it("are taken back: what was changed, and what was made with the folders above it", async () => {
    await kit.put("a.txt", "one\ntwo\nthree\n");
    await chmod(at("a.txt"), 0o640);
    const before = await snapshot();
    await tool("Read", { file_path: "a.txt" });
    await tool("Edit", { file_path: "a.txt", old_string: "two", new_string: "2\n2b" });
    await tool("Edit", { file_path: "a.txt", old_string: "three", new_string: "3" });
    await tool("Write", { file_path: "deep/er/new.txt", content: "new\nfile\n" });
    const after = await snapshot();
    const would = await rewind({ dryRun: true });
    expect(await snapshot()).toEqual(after);
    expect(would).toEqual([
      { path: "deep/er/new.txt", action: "remove", outcome: "would", insertions: 0, deletions: 2 },
      { path: "deep/er", action: "remove", outcome: "would", insertions: 0, deletions: 0 },
      { path: "deep", action: "remove", outcome: "would", insertions: 0, deletions: 0 },
      { path: "a.txt", action: "restore", outcome: "would", insertions: 2, deletions: 3 },
    ]);
    expect(await rewind()).toEqual(would.map((file) => ({ ...file, outcome: "done" })));
    expect(await snapshot()).toEqual(before);
    expect(await rewind()).toEqual([]);
  });

  it("are recorded before the file changes, with what it will hold", async () => {
    await kit.put("a.txt", "old");
    await tool("Read", { file_path: "a.txt" });
    await tool("Write", { file_path: "a.txt", content: "new" });
    const [event] = kit.events.filter(({ type }) => type === "file.checkpointed");
    const hash = kit.platform.sha256("old");
    expect(event?.data).toEqual({
      messageId: "message",
      callId: "call_1",
      files: [
        {
          path: at("a.txt"),
          before: { kind: "file", hash, size: 3, mode: 0o644 },
          after: { kind: "file", hash: kit.platform.sha256("new"), size: 3 },
        },
      ],
    });
    expect(Buffer.from((await kit.artifacts.get(hash)) ?? []).toString()).toBe("old");
  });

  it("change nothing where the baseline cannot be kept", async () => {
    const full = await builtinKit({
      checkpoints: true,
      artifacts: { put: async () => Promise.reject(new Error("the disk is full")) },
    });
    await full.put("a.txt", "old");
    await full.call("Read", { file_path: "a.txt" });
    for (const answer of [
      await full.call("Write", { file_path: "a.txt", content: "new" }),
      await full.call("Bash", { command: "echo new > a.txt" }),
      await full.call("Bash", { command: "echo new > a.txt", run_in_background: true }),
    ]) {
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("the disk is full") });
    }
    expect((await full.bytes("a.txt")).toString()).toBe("old");
    await full.remove();
  });

  it("keep nothing where the session keeps no checkpoints", async () => {
    const plain = await builtinKit();
    await plain.call("Write", { file_path: "a.txt", content: "x" });
    await plain.call("Bash", { command: "echo y > a.txt" });
    expect(plain.events).toEqual([]);
    await plain.remove();
  });
});

const LINES: readonly (readonly [name: string, command: string])[] = [
  ["redirects", "echo x > a.txt; echo y >> sub/b.txt; echo z > new.txt"],
  ["removals", "rm a.txt && rm -r sub"],
  ["moves", "mv a.txt sub/ && mv sub renamed"],
  ["copies", "cp a.txt copy.txt && cp -r sub tree && cp a.txt sub/b.txt"],
  ["copies into a folder", "cp a.txt run.sh sub/"],
  ["copies of a tree into a folder", "mkdir into && cp -r sub into"],
  ["edits in place", "sed -i s/one/1/ a.txt sub/b.txt"],
  ["modes", "chmod 600 run.sh"],
  ["links", "ln -s a.txt link && rm old-link && ln -sf run.sh old-link"],
  ["writes through a link", "echo through > old-link"],
  ["folders", "mkdir -p x/y/z && touch x/y/z/f && rmdir empty"],
  ["patterns", "rm *.txt sub/?.txt"],
  ["tee", "echo t | tee a.txt sub/t.txt"],
  ["bytes that are no text", "head -c 5000 /dev/urandom > bin.dat"],
];

describe("known writers in a command line", () => {
  it.each(LINES)("are taken back: %s", async (_, command) => {
    await kit.put("a.txt", "one\n");
    await kit.put("bin.dat", Buffer.from([0, 255, 1, 254]));
    await kit.put("sub/b.txt", "one b\n");
    await kit.put("sub/deep/c.txt", "c\n");
    await kit.put("run.sh", "echo hi\n");
    await chmod(at("run.sh"), 0o755);
    await mkdir(at("empty"));
    await symlink("a.txt", at("old-link"));
    const before = await snapshot();
    await bash(command);
    const after = await snapshot();
    expect(after).not.toEqual(before);
    expect(new Set((await rewind()).map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
    expect(await snapshot()).toEqual(before);
  });

  it("in the background are known once they have ended", async () => {
    await kit.put("a.txt", "one\n");
    const { result } = await kit.call("Bash", { command: "echo x > a.txt", run_in_background: true });
    const { backgroundTaskId } = result.structuredContent as { backgroundTaskId: string };
    await kit.call("BashOutput", { bash_id: backgroundTaskId, block: true });
    expect(await rewind()).toMatchObject([{ path: "a.txt", outcome: "done" }]);
    expect(await text("a.txt")).toBe("one\n");
  });

  it("are told of and go on where there is too much to keep", async () => {
    await kit.put("big.bin", "");
    await truncate(at("big.bin"), 65 * 1024 * 1024);
    await bash("rm big.bin");
    expect(kit.notes).toEqual([expect.stringContaining("big.bin is too large (68157440 bytes)")]);
    expect(await rewind()).toEqual([
      {
        ...{ path: "big.bin", action: "create", outcome: "unkept", insertions: 0, deletions: 0 },
        reason: "It was too large to be kept (68157440 bytes). It stays as this session left it.",
      },
    ]);
    await mkdir(at("many"));
    for (let i = 0; i < 2_100; i++) await writeFile(at(`many/${i}`), "");
    await bash("rm -r many");
    expect(kit.notes[1]).toContain("many holds more than a checkpoint keeps (2000 entries");
    const files = await rewind({ dryRun: true });
    expect(files.find(({ path }) => path === "many")).toMatchObject({ outcome: "unkept" });
    expect(files.filter(({ outcome }) => outcome === "would").length).toBe(1_999);
  }, 60_000);
});

describe("what others have changed", () => {
  beforeEach(async () => {
    await kit.put("a.txt", "one\n");
    await kit.put("b.txt", "b\n");
    await tool("Read", { file_path: "a.txt" });
    await tool("Edit", { file_path: "a.txt", old_string: "one", new_string: "two" });
    await tool("Write", { file_path: "new.txt", content: "made\n" });
    await bash("rm b.txt");
  });

  it.each([
    ["content", () => writeFile(at("a.txt"), "mine\n")],
    [
      "mode",
      () =>
        bash("true")
          .then(() => chmod(at("new.txt"), 0o600))
          .then(() => writeFile(at("a.txt"), "x")),
    ],
    ["removal", () => rm(at("a.txt"))],
    ["a link in its place", () => rm(at("a.txt")).then(() => symlink("new.txt", at("a.txt")))],
    ["a folder in its place", () => rm(at("a.txt")).then(() => mkdir(at("a.txt")))],
  ])("is left alone and told: %s", async (_, change) => {
    await change();
    const before = await lstat(at("a.txt")).catch(() => undefined);
    const files = await rewind();
    expect(files.find(({ path }) => path === "a.txt")).toMatchObject({
      outcome: "conflict",
      reason: "It has been changed since by somebody else.",
    });
    expect((await lstat(at("a.txt")).catch(() => undefined))?.mtimeMs).toBe(before?.mtimeMs);
    // The others are brought back all the same.
    expect(await text("b.txt")).toBe("b\n");
    const forced = await rewind({ force: true });
    expect(forced.find(({ path }) => path === "a.txt")?.outcome).toBe("done");
    expect(await text("a.txt")).toBe("one\n");
    expect((await lstat(at("a.txt"))).isFile()).toBe(true);
  });

  it("goes with force where it is too much to be kept, be it made or changed by this session", async () => {
    for (const file of ["a.txt", "new.txt"]) await truncate(at(file), 65 * 1024 * 1024);
    const reason = "It has been changed since by somebody else.";
    expect(await rewind()).toMatchObject([
      { path: "new.txt", outcome: "conflict", reason },
      { path: "a.txt", outcome: "conflict", reason },
      { path: "b.txt", outcome: "done" },
    ]);
    expect((await rewind({ force: true })).map(({ outcome }) => outcome)).toEqual(["done", "done"]);
    expect([await text("a.txt"), (await readdir(kit.cwd)).sort()]).toEqual(["one\n", ["a.txt", "b.txt"]]);
  });

  it("is left alone where something stands again in a place that this session emptied", async () => {
    await writeFile(at("b.txt"), "new b");
    expect((await rewind()).find(({ path }) => path === "b.txt")).toMatchObject({ outcome: "conflict" });
    expect(await text("b.txt")).toBe("new b");
  });

  it("is left alone where a call was cut off, since nobody knows what it left", async () => {
    kit.events.push({
      type: "file.checkpointed",
      data: { files: [{ path: at("a.txt"), before: { kind: "missing" } }] },
    });
    expect((await rewind()).find(({ path }) => path === "a.txt")).toMatchObject({
      outcome: "conflict",
      reason: expect.stringContaining("was cut off"),
    });
  });
});

describe("a change that did not happen, since its process was killed,", () => {
  it("is no conflict, be it of Edit or of a command line", async () => {
    await kit.put("a.txt", "one\n");
    await kit.put("b.txt", "one\n");
    await bash("echo two > a.txt; echo two > b.txt");
    const two = { kind: "file", hash: kit.platform.sha256("two\n"), size: 4, mode: 0o644 } as const;
    const after = { kind: "file", hash: kit.platform.sha256("three"), size: 5 } as const;
    kit.events.push(
      { type: "file.checkpointed", data: { files: [{ path: at("a.txt"), before: two, after }] } },
      { type: "file.checkpointed", data: { files: [{ path: at("b.txt"), before: two }] } },
    );
    expect((await rewind()).map(({ outcome }) => outcome)).toEqual(["done", "done"]);
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["one\n", "one\n"]);
  });
});

describe("a rewind", () => {
  it("writes through no link, neither in the workspace nor out of it", async () => {
    const outside = await builtinKit();
    await outside.put("a.txt", "precious");
    await kit.put("sub/a.txt", "one\n");
    await kit.put("sub/gone.txt", "gone\n");
    await tool("Read", { file_path: "sub/a.txt" });
    await tool("Edit", { file_path: "sub/a.txt", old_string: "one", new_string: "two" });
    await bash("rm sub/gone.txt");
    await rename(at("sub"), at("moved"));
    await symlink(outside.cwd, at("sub"));
    const files = await rewind({ force: true });
    expect(files).toMatchObject([
      { path: "sub/a.txt", outcome: "failed", reason: expect.stringContaining("A link lies on the way") },
      { path: "sub/gone.txt", outcome: "failed" },
    ]);
    expect((await outside.bytes("a.txt")).toString()).toBe("precious");
    expect(await readdir(outside.cwd)).toEqual(["a.txt"]);
    await outside.remove();
  });

  it("can itself be taken back", async () => {
    await kit.put("a.txt", "one\n");
    await bash("echo two > a.txt; echo new > new.txt");
    const changed = await snapshot();
    await rewind();
    kit.events.splice(0, kit.events.length - 1);
    expect(new Set((await rewind()).map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
    expect(await snapshot()).toEqual(changed);
  });

  it("goes on behind a file that fails, tells which, and brings read-only files back", async () => {
    await kit.put("a.txt", "one\n");
    await kit.put("b.txt", "one\n");
    await kit.put("ro.txt", "one\n");
    await chmod(at("ro.txt"), 0o444);
    await bash("echo 2 > a.txt; echo 2 > b.txt; rm -f ro.txt");
    const { artifacts } = kit;
    const lost = kit.platform.sha256("one\n");
    const files = await rewind(
      {},
      {
        artifacts: {
          ...artifacts,
          get: async (hash: string) => (hash === lost ? undefined : artifacts.get(hash)),
        },
      },
    );
    expect(files.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed"]);
    expect(files[0]?.reason).toBe("What it held is no longer in the artifact store.");
    await kit.put("c/x.txt", "x");
    await bash("rm -r c && echo 3 > c");
    const fs = {
      ...kit.platform.fs,
      rename: async (from: string, to: string) =>
        to === at("a.txt")
          ? Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }))
          : kit.platform.fs.rename(from, to),
    };
    const again = await rewind({}, { platform: { ...kit.platform, fs } });
    expect(again.find(({ path }) => path === "a.txt")).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("the disk is full"),
    });
    expect(await text("b.txt")).toBe("one\n");
    expect([await text("ro.txt"), await mode("ro.txt")]).toEqual(["one\n", 0o444]);
    expect(await text("c/x.txt")).toBe("x");
    expect(await rewind()).toMatchObject([{ path: "a.txt", outcome: "done" }]);
  });

  it("leaves a folder that others put something into", async () => {
    await tool("Write", { file_path: "made/a.txt", content: "a" });
    await kit.put("made/mine.txt", "mine");
    const files = await rewind();
    expect(files).toMatchObject([
      { path: "made/a.txt", outcome: "done" },
      { path: "made", outcome: "failed", reason: "Other files lie in it, so it stays." },
    ]);
    expect(await readdir(at("made"))).toEqual(["mine.txt"]);
  });
});
