import { describe, expect, it } from "vitest";
import { nodePlatform } from "../../platform/index.ts";
import { childEnv, childSpawner, sessionHome } from "./child-env.ts";

describe("the environment of tools' processes", () => {
  it("is the program's own, with nobody there to page or edit", () => {
    const env = childEnv({ PATH: "/bin", EDITOR: "vim", PAGER: "less", GONE: undefined }, undefined, "/h");
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
      "/h",
    );
    expect(env).toMatchObject({ PATH: "/bin", PAGER: "most", NEW: "" });
    expect(Object.keys(env)).not.toContain("SECRET");
    expect(Object.keys(env)).not.toContain("TERM");
  });

  it("changes nothing of what it is given", () => {
    const own = Object.freeze({ A: "1", B: "2" });
    const option = Object.freeze({ A: undefined });
    const env = childEnv(own, option, "/h");
    expect(env).not.toHaveProperty("A");
    expect(env).toHaveProperty("B", "2");
    expect(own).toEqual({ A: "1", B: "2" });
  });
});

describe("the home of a session", () => {
  const platform = { homedir: () => "/home/own" };

  it.each([undefined, {}, { HOME: undefined }, { HOME: "" }, { HOME: "rel" }, { HOME: "/home/own/" }])(
    "is the platform's with %o, and its processes get it",
    (option) => {
      const found = sessionHome(platform, option);
      expect(found).toEqual({ home: "/home/own" });
      expect(childEnv({ HOME: "/drifted" }, option, found.home).HOME).toBe("/home/own");
    },
  );

  it("is that of options.env where that is a whole path", () => {
    const found = sessionHome(platform, { HOME: "/srv/x/../agent/" });
    expect(found).toEqual({ home: "/srv/agent", ownHome: "/home/own" });
    expect(childEnv({}, { HOME: "/srv/x/../agent/" }, found.home).HOME).toBe("/srv/agent");
  });
});

describe("the spawner of a session", () => {
  it("makes the environment once, when it is first asked for, from the option as it was given", () => {
    let made = 0;
    const { spawner } = nodePlatform();
    const platform = {
      env: { PATH: "/bin", SECRET: "s" },
      spawner: (env: Readonly<Record<string, string>>) => {
        made += 1;
        return spawner(env);
      },
    };
    const option: Record<string, string | undefined> = { SECRET: undefined, NEW: "1" };
    const session = childSpawner(platform, option, "/h");
    option.NEW = "2";
    expect(made).toBe(0);
    expect(session.env).toMatchObject({ PATH: "/bin", NEW: "1", PAGER: "cat" });
    expect(session.env).not.toHaveProperty("SECRET");
    expect(session.env).toBe(session.env);
    expect(made).toBe(1);
  });
});
