import { describe, expect, it } from "vitest";
import { nodePlatform, type Platform, processMark } from "./index.ts";

const platform = nodePlatform();
/** No system gives such a number to a process. */
const NOBODY = 2 ** 30;

/** Reading a path ends in an error of this code. */
function failing(code: string, path: RegExp): Platform {
  const readFile = (async (given: string, ...more: never[]) => {
    if (path.test(given)) throw Object.assign(new Error(code), { code });
    return platform.fs.readFile(given, ...more);
  }) as Platform["fs"]["readFile"];
  return { ...platform, fs: { ...platform.fs, readFile } };
}

describe.runIf(process.platform === "linux")("the mark of a process", () => {
  it("stays the same while it runs, and there is none where nobody runs", async () => {
    const mark = await processMark(platform, process.pid);
    expect(mark).toMatch(/^[0-9a-f-]*:\d+$/);
    expect(await processMark(platform, process.pid)).toBe(mark);
    expect(await processMark(platform, NOBODY)).toBeUndefined();
  });

  it.each<[string, Platform]>([
    ["too many files are open", failing("EMFILE", /^\/proc\//)],
    ["the start of the machine cannot be read just now", failing("EMFILE", /boot_id/)],
    ["the process may not be looked at", failing("EACCES", /\/stat$/)],
    ["no process is ever seen", failing("ENOENT", /^\/proc\//)],
  ])("is empty, not missing, where %s", async (_, machine) => {
    expect(await processMark(machine, process.pid)).toBe("");
  });

  it.each(["ENOENT", "EACCES"])(
    "does without the start of a machine that never tells it: %s",
    async (code) => {
      expect(await processMark(failing(code, /boot_id/), process.pid)).toMatch(/^:\d+$/);
    },
  );
});

describe.runIf(process.platform !== "win32")("by the list of processes", () => {
  const other: Platform = { ...platform, os: "darwin" };

  it("is the start of the process, and none where nobody runs", async () => {
    expect(await processMark(other, process.pid)).toMatch(/\d\d:\d\d:\d\d/);
    expect(await processMark(other, NOBODY)).toBeUndefined();
  });

  it.each([
    ["cannot be started", "/nowhere/ps", []],
    ["is killed", "sh", ["-c", "kill -9 $$"]],
  ])("is empty, not missing, where the list %s", async (_, command, args) => {
    const spawn: Platform["spawn"] = (_command, _args, options) => platform.spawn(command, args, options);
    expect(await processMark({ ...other, spawn }, process.pid)).toBe("");
    expect(await processMark({ ...other, os: "win32", spawn }, process.pid)).toBe("");
  });
});
