import { userInfo } from "node:os";
import process from "node:process";
import { afterEach, describe, expect, it } from "vitest";
import { nodePlatform } from "./node-platform.ts";

const own = process.env.HOME;
afterEach(() => {
  if (own === undefined) delete process.env.HOME;
  else process.env.HOME = own;
});

describe("the home directory", () => {
  it.each(["", ".", "home", "./x", "../.."])("is that of the account where HOME is %j", (home) => {
    process.env.HOME = home;
    expect(nodePlatform().homedir()).toBe(userInfo().homedir);
  });

  it("is HOME where that is absolute", () => {
    process.env.HOME = "/somewhere/else";
    expect(nodePlatform().homedir()).toBe("/somewhere/else");
  });
});
