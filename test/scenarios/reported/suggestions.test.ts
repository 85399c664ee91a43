import type { PermissionUpdate } from "@castellan/sdk";
import { formatRule } from "@castellan/sdk/permissions";
import { describe, expect, it } from "vitest";
import { type Call, judge, type World } from "../../kit/judge.ts";

const read = (file_path: string): Call => ["Read", { file_path }];
const edit = (file_path: string): Call => ["Edit", { file_path, old_string: "a", new_string: "b" }];

/** The rules of a suggestion, as texts; directories as `+/path`. */
function offered(updates: readonly PermissionUpdate[]): string[] {
  return updates.flatMap((update) => {
    if ("rules" in update) return update.rules.map(formatRule);
    return "directories" in update ? update.directories.map((each) => `+${each}`) : [update.mode];
  });
}

/** The world after the suggestion was taken. */
function taken(world: World, updates: readonly PermissionUpdate[]): World {
  const rules = updates.flatMap((update) => ("rules" in update ? update.rules.map(formatRule) : []));
  const directories = updates.flatMap((update) => ("directories" in update ? update.directories : []));
  return {
    ...world,
    local: {
      allow: [...(world.local?.allow ?? []), ...rules],
      additionalDirectories: [...(world.local?.additionalDirectories ?? []), ...directories],
    },
  };
}

const SHELL_WORDS = /\((?:for|while|until|if|case|do|done|then|else|fi|esac|in|\{|\}|!|time)\b/;

type Row = readonly [
  ids: string,
  call: Call,
  rules: readonly string[],
  neighbours: readonly Call[],
  world?: World,
];

const ROWS: readonly Row[] = [
  [
    "C022",
    "if shfmt a.sh\nthen\n  npm install left\nfi",
    ["Bash(shfmt a.sh)", "Bash(npm install:*)"],
    ["npm publish"],
  ],
  [
    "C022",
    "while true\ndo\n  shfmt a\ndone",
    ["Bash(shfmt a)"],
    ["shfmt b", "while true; do npm publish; done"],
  ],
  ["C022", "for each in a b\ndo npm install $each\ndone", ["Bash(npm install:*)"], ["npm publish"]],
  ["C194", "./mvnw verify", ["Bash(./mvnw verify)"], ["mvnw verify", "/tmp/mvnw verify", "./mvnw deploy"]],
  ["C194", "/opt/lint/run src", ["Bash(/opt/lint/run src)"], ["run src", "/opt/other/run src"]],
  ["C194", "../tools/gen all", ["Bash(../tools/gen all)"], ["gen all", "./tools/gen all"]],
  [
    "C211",
    "shfmt -w /srv/data/a",
    ["Bash(shfmt -w /srv/data/a)"],
    ["shfmt -w /srv/other"],
    { local: { additionalDirectories: ["/srv/data"] } },
  ],
  [
    "C014",
    "CI=1 terraform apply",
    ["Bash(terraform apply:*)"],
    ["terraform destroy", "PATH=. terraform apply"],
  ],
  ["C042", read("/srv/ref/a.md"), ["Read(//srv/ref/a.md)"], [read("/srv/ref/b.md")]],
  [
    "C034",
    edit("/work/app/texts/a.md"),
    ["Edit(//work/app/texts/a.md)", "Edit(//home/ada/texts/a.md)"],
    [edit("/home/ada/texts/b.md")],
    { fs: { "/home/ada/texts/a.md": "x", "/work/app/texts": "-> /home/ada/texts" } },
  ],
];

describe("a suggestion", () => {
  it.each(ROWS.map((row) => [row[0], row[1], row] as const))("%s: settles the call %j", async (...given) => {
    const [, call, rules, neighbours, world = {}] = given[2];
    const asked = await judge(call, world);
    expect(asked.behavior).toBe("ask");
    expect(offered(asked.suggestions).toSorted()).toEqual([...rules].toSorted());
    const then = taken(world, asked.suggestions);
    expect((await judge(call, then)).behavior).toBe("allow");
    for (const neighbour of neighbours)
      expect((await judge(neighbour, then)).behavior, JSON.stringify(neighbour)).toBe("ask");
  });

  it.each([
    'for f in a b\ndo\n  make "$f"\ndone',
    "case x in\n  x) make a ;;\nesac",
    "until make a\ndo sleep 1\ndone",
    "{ make a\nmake b\n}",
    "! make a",
  ])("C022: is made of commands, never of the words around them: %j", async (line) => {
    const { behavior, suggestions } = await judge(line);
    expect(behavior).toBe("ask");
    for (const rule of offered(suggestions)) expect(rule).not.toMatch(SHELL_WORDS);
  });

  it("C211: names no directory that is there already, and what is missing beside it", async () => {
    const world: World = { user: { additionalDirectories: ["/srv/data"] }, mode: "default" };
    for (const line of ["shfmt -w /srv/data/a", "cp a /srv/data/a", "touch /srv/data/b"]) {
      const { behavior, suggestions } = await judge(line, world);
      expect(behavior, line).toBe("ask");
      expect(offered(suggestions).filter((each) => each.startsWith("+"))).toEqual([]);
      expect((await judge(line, taken(world, suggestions))).behavior, line).toBe("allow");
    }
  });

  it.each<[string, Call]>([
    ["C014", "AWS_PROFILE=p aws s3 ls"],
    ["C014", "LD_PRELOAD=./x.so terraform apply"],
    ["C187", "bash -c 'make x'"],
    ["C187", "python3 run.py"],
    ["C046", edit("/work/app/.git/config")],
  ])("%s: is offered only where it will match next time: %j", async (_, call) => {
    const { behavior, suggestions } = await judge(call);
    expect(behavior).toBe("ask");
    if (suggestions.length > 0) expect((await judge(call, taken({}, suggestions))).behavior).toBe("allow");
    else expect(offered(suggestions)).toEqual([]);
  });

  it("C043: goes to the session or to one's own file, never to the one that others share", async () => {
    const calls: Call[] = [
      "terraform apply",
      "shfmt x > y",
      ["mcp__shop__buy", {}],
      ["Read", { file_path: "/srv/a" }],
    ];
    for (const call of calls) {
      const { suggestions } = await judge(call);
      expect(suggestions.length, JSON.stringify(call)).toBeGreaterThan(0);
      for (const { destination } of suggestions) expect(["session", "localSettings"]).toContain(destination);
    }
  });
});
