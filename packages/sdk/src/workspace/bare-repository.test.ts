import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryFiles } from "../platform/index.ts";
import { shapesRepository } from "./bare-repository.ts";

const shapes = (path: string, writes: string[] = [path], there: string[] = []) => {
  const fs = memoryFiles(["/w"], Object.fromEntries(there.map((file) => [file, ""])));
  return shapesRepository({ fs }, posix, path, writes);
};
const three = (folder: string) => ["HEAD", "objects/x", "refs/x"].map((name) => `${folder}/${name}`);

describe("a write that shapes a bare repository", () => {
  it("is one of several that make it", async () => {
    for (const path of three("/w/d")) expect(await shapes(path, three("/w/d"))).toBe(true);
    expect(await shapes("/w/d/config", [...three("/w/d"), "/w/d/config"])).toBe(true);
    expect(await shapes("/w/d/hooks/x", [...three("/w/d"), "/w/d/hooks/x"])).toBe(true);
    expect(await shapes("/w/d/head", ["/w/d/head", "/w/d/OBJECTS/x", "/w/d/Refs"])).toBe(true);
    expect(await shapes("/HEAD", three(""))).toBe(true);
  });

  it("is one that changes what is there", async () => {
    expect(await shapes("/w/d/config", ["/w/d/config"], three("/w/d"))).toBe(true);
    expect(await shapes("/w/d/refs/a/b", ["/w/d/refs/a/b"], three("/w/d"))).toBe(true);
    expect(await shapes("/w/d/HEAD", ["/w/d/HEAD"], ["/w/d/objects/x", "/w/d/refs/x"])).toBe(true);
  });

  it("is none where a part is missing, or lies in another folder", async () => {
    expect(await shapes("/w/d/HEAD", three("/w/d").slice(0, 2))).toBe(false);
    expect(await shapes("/w/d/HEAD", ["/w/d/HEAD", "/w/e/objects/x", "/w/e/refs/x"])).toBe(false);
    expect(await shapes("/w/d/HEAD", ["/w/d/HEAD"], ["/w/objects/x", "/w/refs/x"])).toBe(false);
    expect(await shapes("/w/d/x", three("/w/d"))).toBe(false);
    expect(await shapes("/w/d/config", ["/w/d/config"], ["/w/d/HEAD", "/w/d/refs/x"])).toBe(false);
  });

  it("is none below a folder that bears the name: that one is protected", async () => {
    expect(await shapes("/w/.git/HEAD", three("/w/.git"))).toBe(false);
    expect(await shapes("/w/.git/config", ["/w/.git/config"], three("/w/.git"))).toBe(false);
    expect(await shapes("/w/git/HEAD", three("/w/git"))).toBe(true);
  });

  it("is told where Windows paths are written too", async () => {
    const writes = ["C:\\d\\HEAD", "C:\\d\\objects\\x", "C:\\d\\refs\\x"];
    expect(await shapesRepository({ fs: memoryFiles([], {}) }, win32, writes[0] ?? "", writes)).toBe(true);
  });
});
