import { describe, expect, it } from "vitest";
import { childEnv } from "./child-env.ts";

describe("the environment of tools' processes", () => {
  it("is the program's own, with nobody there to page or edit", () => {
    const env = childEnv({ PATH: "/bin", EDITOR: "vim", PAGER: "less", GONE: undefined }, undefined);
    expect(env).toMatchObject({
      PATH: "/bin",
      EDITOR: "true",
      PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      TERM: "dumb",
    });
    expect(Object.keys(env)).not.toContain("GONE");
  });

  it("options.env has the last word: it adds, replaces and takes away", () => {
    const env = childEnv(
      { PATH: "/bin", SECRET: "s" },
      { SECRET: undefined, PAGER: "most", NEW: "", TERM: undefined },
    );
    expect(env).toMatchObject({ PATH: "/bin", PAGER: "most", NEW: "" });
    expect(Object.keys(env)).not.toContain("SECRET");
    expect(Object.keys(env)).not.toContain("TERM");
  });

  it("changes nothing of what it is given", () => {
    const own = Object.freeze({ A: "1" });
    const option = Object.freeze({ A: undefined });
    expect(childEnv(own, option)).not.toHaveProperty("A");
    expect(own).toEqual({ A: "1" });
  });
});
