import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
afterEach(() => kit.remove());

describe("LS", () => {
  it("lists one level by name, with directories and links marked", async () => {
    kit = await builtinKit();
    await kit.put("b.txt", "");
    await kit.put("a/inner.txt", "");
    await kit.put(".hidden", "");
    await symlink("b.txt", join(kit.cwd, "l"));
    const { text } = await kit.call("LS", { path: "." });
    expect(text.split("\n")).toEqual([`${kit.cwd}:`, ".hidden", "a/", "b.txt", "l -> b.txt"]);
  });

  it("leaves out what is ignored and what may not be read, counts included", async () => {
    kit = await builtinKit({ mayRead: (path) => !path.endsWith("/.env") });
    for (const name of [".env", "a.log", "b.ts", "c.log"]) await kit.put(name, "");
    const { text, result } = await kit.call("LS", { path: kit.cwd, ignore: ["*.log"] });
    expect(text.split("\n").slice(1)).toEqual(["b.ts"]);
    expect(result.structuredContent).toMatchObject({ entries: 1 });
  });

  it("does not tell the name of what may not be read through a link to it", async () => {
    kit = await builtinKit({ mayRead: (path) => !path.endsWith("/.env.prod") });
    await kit.put(".env.prod", "");
    await symlink(".env.prod", join(kit.cwd, "current"));
    await symlink("other", join(kit.cwd, "free"));
    const { text } = await kit.call("LS", { path: "." });
    expect(text.split("\n").slice(1)).toEqual(["current -> (not shown)", "free -> other"]);
  });

  it("checks every name that a linked directory goes by", async () => {
    kit = await builtinKit({ mayRead: (path) => !path.endsWith("/real/secret.txt") });
    await kit.put("real/secret.txt", "");
    await kit.put("real/open.txt", "");
    await symlink("real", join(kit.cwd, "alias"));
    expect((await kit.call("LS", { path: "alias" })).text.split("\n").slice(1)).toEqual(["open.txt"]);
  });

  it("is bounded and says how many are left out", async () => {
    kit = await builtinKit();
    await mkdir(join(kit.cwd, "many"));
    await Promise.all(Array.from({ length: 1005 }, (_, index) => kit.put(`many/f${index}`, "")));
    const { text } = await kit.call("LS", { path: "many" });
    expect(text.split("\n")).toHaveLength(1002);
    expect(text).toContain("(5 more entries are not shown.");
  });

  it("says what else it found", async () => {
    kit = await builtinKit();
    await kit.put("f", "");
    await mkdir(join(kit.cwd, "empty"));
    expect(await kit.call("LS", { path: "f" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("is a file"),
    });
    expect(await kit.call("LS", { path: "gone" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("does not exist"),
    });
    expect(await kit.call("LS", { path: "empty" })).toMatchObject({
      isError: false,
      text: expect.stringContaining("no entries"),
    });
  });
});
