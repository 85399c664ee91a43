import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listRules } from "@castellan/sdk/permissions";
import { describe, expect, it } from "vitest";
import { nodePlatform } from "../../../packages/sdk/src/platform/index.ts";
import type { PermissionUpdate } from "../../../packages/sdk/src/protocol/index.ts";
import { writeUpdates } from "../../../packages/sdk/src/settings/index.ts";
import { type Call, judge, optionsOf, told, type World } from "../../kit/judge.ts";
import { reported } from "../../kit/reported.ts";
import { scratch } from "../../kit/session.ts";

const read = (file_path: string): Call => ["Read", { file_path }];
const write = (file_path: string): Call => ["Write", { file_path, content: "x" }];

// What several settings files say together.
reported([
  {
    what: "C203: lists of one file are added to those of others, and an empty one takes nothing away",
    under: {
      user: { allow: ["mcp__crm__list", "Bash(op:*)"], deny: ["Read(~/.gnupg/**)", "Bash(op rm:*)"] },
      allow: [],
      deny: [],
      local: { allow: [], deny: [], ask: [], additionalDirectories: [] },
      mode: "default",
    },
    allow: [["mcp__crm__list", {}], "op get x"],
    deny: [read("/home/ada/.gnupg/ring"), "op rm x"],
    ask: [["mcp__crm__drop", {}]],
  },
  {
    what: "C203: and added to the lists of the project and of oneself",
    under: { user: { allow: ["Bash(op:*)"] }, allow: ["Bash(xz:*)"], local: { allow: ["Bash(shfmt:*)"] } },
    allow: ["op get x", "xz a", "shfmt a", "op get x | xz | shfmt"],
    ask: ["op get x | shred a"],
  },
  {
    what: "C207: an added directory, however it is spelled",
    under: {
      local: { additionalDirectories: ["/srv/shots/", "~/ref", "../sib", "./", "f:\\JOB\\p2", "/srv/none"] },
      fs: { "/srv/shots/a.png": "x", "/home/ada/ref/sub/b": "x", "/work/sib/c": "x" },
    },
    allow: [
      ...[read("/srv/shots/a.png"), read("~/ref/sub/b"), read("/home/ada/ref/sub/b"), read("/work/sib/c")],
      ["Glob", { pattern: "*", path: "/srv/shots" }] as const,
      ["Grep", { pattern: "x", path: "~/ref" }] as const,
      ["LS", { path: "/work/sib/" }] as const,
      ...["cat /srv/shots/a.png", "ls ~/ref/sub", "rg x ../sib", read("/srv/none/a")],
    ],
    ask: [read("/srv/shots2/a"), read("/home/ada/refs"), read("/work/sibling/c"), "cat /srv/a"],
  },
  {
    what: "C208: added directories of every file count alike, for every tool",
    under: {
      user: { additionalDirectories: ["/data/u"] },
      additionalDirectories: ["/data/p"],
      local: { additionalDirectories: ["/data/l"] },
      policy: { additionalDirectories: ["/data/m"] },
      mode: "acceptEdits",
    },
    allow: ["u", "p", "l", "m"].flatMap((name): Call[] => [
      read(`/data/${name}/a`),
      write(`/data/${name}/a`),
      ["Glob", { pattern: "*", path: `/data/${name}` }],
      ["Grep", { pattern: "x", path: `/data/${name}` }],
      `cat /data/${name}/a`,
      `touch /data/${name}/b`,
    ]),
    ask: [read("/data/x/a"), write("/data/x/a"), "cat /data/x/a", "touch /data/x/b"],
  },
]);

describe("C203, C272: the mode of several files", () => {
  it.each<[string, World, string]>([
    [
      "one's own, where no other names one",
      { user: { defaultMode: "acceptEdits" }, local: { allow: [] } },
      "acceptEdits",
    ],
    ["the nearer of two", { user: { defaultMode: "acceptEdits" }, local: { defaultMode: "plan" } }, "plan"],
    ["the option before all", { user: { defaultMode: "acceptEdits" }, mode: "dontAsk" }, "dontAsk"],
    [
      "the machine's before the others",
      { policy: { defaultMode: "plan" }, local: { defaultMode: "dontAsk" } },
      "plan",
    ],
    ["never bypass from a project", { defaultMode: "bypassPermissions" }, "default"],
    ["default without any", {}, "default"],
  ])("is %s", async (_, world, mode) => {
    expect((await listRules(optionsOf(world))).mode).toBe(mode);
  });

  it("C237: a project that asks for bypassPermissions is told of", async () => {
    expect(JSON.stringify(await told({ defaultMode: "bypassPermissions" }))).toContain("bypassPermissions");
  });
});

describe("C237: files of a project that nobody has trusted", () => {
  const files: World = {
    allow: ["Bash", "Edit", "mcp__crm"],
    deny: ["Bash(op:*)"],
    additionalDirectories: ["/"],
    defaultMode: "acceptEdits",
    local: { allow: ["WebFetch"] },
  };
  const world: World = { ...files, trusted: false };

  it("only tighten", async () => {
    const calls: Call[] = ["make x", write("/work/app/a"), ["mcp__crm__list", {}], read("/etc/hosts")];
    calls.push(["WebFetch", { url: "http://host.test/", prompt: "x" }]);
    for (const call of calls) {
      expect((await judge(call, world)).behavior, JSON.stringify(call)).toBe("ask");
      expect((await judge(call, files)).behavior, JSON.stringify(call)).toBe("allow");
    }
    expect((await judge("op get x", world)).behavior).toBe("deny");
    expect((await judge("make x", { ...world, user: { allow: ["Bash"] } })).behavior).toBe("allow");
  });

  it("and what does not count is told", async () => {
    const text = JSON.stringify(await told(world));
    for (const part of [
      "settings.json",
      "settings.local.json",
      "allow rule",
      "1 directory",
      "acceptEdits",
      "castellan trust",
    ])
      expect(text).toContain(part);
    expect(await told({ ...files, trusted: true })).toEqual([]);
  });
});

describe("writing a grant into a file", () => {
  const platform = nodePlatform();
  const add = (
    rule: string,
    destination: PermissionUpdate["destination"] = "localSettings",
  ): PermissionUpdate => ({
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: rule }],
    behavior: "allow",
    destination,
  });
  const places = () => {
    const projectRoot = scratch();
    const file = join(projectRoot, ".castellan", "settings.local.json");
    return { projectRoot, home: join(projectRoot, "home"), file };
  };
  const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));

  it("C042: makes the file and its folder, also for a directory", async () => {
    const { file, ...to } = places();
    const directories = ["/srv/ref"];
    await writeUpdates(platform, to, [{ type: "addDirectories", directories, destination: "localSettings" }]);
    expect(json(file)).toEqual({ permissions: { additionalDirectories: directories } });
    await writeUpdates(platform, to, [add("op:*")]);
    expect(json(file)).toEqual({
      permissions: { additionalDirectories: directories, allow: ["Bash(op:*)"] },
    });
    expect(lstatSync(file).mode & 0o077).toBe(0);
  });

  it.each([
    ["localSettings", ".castellan/settings.local.json"],
    ["projectSettings", ".castellan/settings.json"],
    ["userSettings", "home/.castellan/settings.json"],
  ] as const)("C043: into the file that is named, and no other: %s", async (destination, name) => {
    const { projectRoot, home } = places();
    await writeUpdates(platform, { projectRoot, home }, [add("op:*", destination)]);
    for (const other of ["", "home/"])
      for (const each of ["settings.json", "settings.local.json"])
        expect(existsSync(join(projectRoot, `${other}.castellan/${each}`))).toBe(
          name === `${other}.castellan/${each}`,
        );
  });

  it("C044: keeps all that stands there, and what is written at the same time", async () => {
    const { file, ...to } = places();
    mkdirSync(join(file, ".."), { recursive: true });
    const before = `{
  // ours
  "permissions": { "allow": ["mcp__crm__*", "Bash(op:*)"] },
  "env": { "LEVEL": "2" },
  "ownKey": [1, 2],
}
`;
    writeFileSync(file, before);
    const names = ["a", "b", "c", "d", "op:*"];
    await Promise.all(names.map((name) => writeUpdates(platform, to, [add(name)])));
    const text = readFileSync(file, "utf8");
    const rules = [...text.matchAll(/"Bash\(([^)]*)\)"/g)].map(([, rule]) => rule);
    expect(rules.toSorted()).toEqual(["a", "b", "c", "d", "op:*"]);
    for (const kept of ["// ours", '"mcp__crm__*"', '"env": { "LEVEL": "2" }', '"ownKey": [1, 2],'])
      expect(text).toContain(kept);
  });

  it("C044: and never writes over one that cannot be read", async () => {
    const { file, ...to } = places();
    mkdirSync(join(file, ".."), { recursive: true });
    const broken = '{ "permissions": { "allow": ["Bash(op:*)"';
    writeFileSync(file, broken);
    await expect(writeUpdates(platform, to, [add("a")])).rejects.toMatchObject({ code: "invalid_settings" });
    expect(readFileSync(file, "utf8")).toBe(broken);
  });
});
