import { describe, expect, it } from "vitest";
import { lintRules } from "../../../packages/sdk/src/permissions/index.ts";
import type { RuleBehavior } from "../../../packages/sdk/src/protocol/index.ts";
import { type Call, judge, type World } from "../../kit/judge.ts";
import { reported } from "../../kit/reported.ts";

const fetchOf = (url: string): Call => ["WebFetch", { url, prompt: "What is it?" }];
const write = (file_path: string): Call => ["Write", { file_path, content: "x" }];
const edit = (file_path: string): Call => ["Edit", { file_path, old_string: "a", new_string: "b" }];
const notebook = (notebook_path: string): Call => ["NotebookEdit", { notebook_path, new_source: "1" }];
const read = (file_path: string): Call => ["Read", { file_path }];

/** What the linter says of one rule: `severity code`. */
function told(behavior: RuleBehavior, text: string): string[] {
  return lintRules({ rules: [{ text, behavior, source: "userSettings" }] }).map(
    ({ severity, code }) => `${severity} ${code}`,
  );
}

// What a rule means, and which of several counts.
reported([
  {
    what: "C189, C298: a deny is literal, and no flag is another spelling of one",
    under: { allow: ["Bash"], deny: ["Bash(tar -xf:*)", "Bash(perl *-i *)", "Bash(glab api *--raw *)"] },
    deny: ["tar -xf a.tar", "perl x -i y", "glab api v --raw x"],
    allow: [
      "tar -fx a.tar",
      "tar -x -f a.tar",
      "tar -xfv a.tar",
      "tar --extract --file a.tar",
      "glab api v --raw=x",
    ],
  },
  {
    what: "C298: a rule is no regular expression",
    under: { allow: ["Bash"], deny: ["Bash(^mkfs.*)", "Bash(mkswap|swapon)", "Bash(wipe[fs]+)"] },
    allow: ["mkfs /dev/sdx", "mkswap x", "swapon x", "wipefs"],
    deny: ["^mkfs.ext4 x", "wipe[fs]+"],
  },
  {
    what: "C204: the nearer or narrower allow lifts no deny",
    under: {
      allow: ["Edit(src/**)"],
      local: { allow: ["Read(lib/**)", "Bash(svn commit:*)", "Read(lib/keys/a.pem)"] },
      user: { deny: ["Read(**/keys)", "Bash(svn commit:*)"] },
    },
    deny: [read("/work/app/lib/keys/a.pem"), "svn commit -m x", edit("/work/app/src/keys/a")],
    allow: [read("/work/app/lib/key"), edit("/work/app/src/key")],
  },
  {
    what: "C204: nor do the broader one and the machine's policy",
    under: { deny: ["Bash(svn commit:*)"], policy: { allow: ["Bash"] }, user: { allow: ["Bash(svn *)"] } },
    deny: ["svn commit", "svn commit -m x && ls"],
    allow: ["svn update"],
  },
  {
    what: "C205: an allow of one's own lifts nobody's ask",
    under: {
      ask: ["Bash(tree:*)"],
      local: { allow: ["Bash(tree:*)"] },
      user: { allow: ["Bash", "Bash(tree -L 2)"] },
    },
    ask: ["tree", "tree -L 2", "ls && tree"],
    allow: ["treefmt", "make deploy"],
  },
  {
    what: "C295: a narrow allow makes no hole in a broad deny",
    under: { deny: ["Bash(gcloud:*)"], allow: ["Bash(gcloud * list)", "Bash(gcloud projects list)", "Bash"] },
    deny: ["gcloud projects list", "gcloud projects delete a", "CI=1 gcloud projects list"],
    allow: ["gsutil ls"],
  },
  {
    what: "C295: who wants only some of them lets nothing else through",
    under: { mode: "dontAsk", allow: ["Bash(gcloud * list)"] },
    allow: ["gcloud projects list", "gcloud compute disks list"],
    deny: ["gcloud projects delete a", "gcloud auth print-access-token"],
  },
  {
    what: "C249: the domain of a rule is the whole host",
    under: { allow: ["WebFetch(domain:docs.test)"] },
    allow: ["https://docs.test/a", "https://DOCS.test:8443/", "http://docs.test./b?c"].map(fetchOf),
    ask: [
      "https://www.docs.test/",
      "https://mydocs.test/",
      "https://docs.test.evil.test/",
      "https://docs.test@evil.test/",
      "https://evil.test/?u=docs.test",
      "https://evil.test/#docs.test",
      "https://evil.test/docs.test",
    ].map(fetchOf),
  },
  {
    what: "C249: with a star in front, what lies below it at any depth",
    under: { allow: ["WebFetch(domain:*.docs.test)"] },
    allow: ["https://www.docs.test/", "https://a.b.docs.test/", "https://API.docs.test./"].map(fetchOf),
    ask: [
      "https://docs.test/",
      "https://mydocs.test/",
      "https://a.docs.test.evil.test/",
      "https://a.docs.test@evil.test",
    ].map(fetchOf),
  },
  {
    what: "C249: in deny the domain itself too",
    under: { allow: ["WebFetch"], deny: ["WebFetch(domain:*.docs.test)"] },
    deny: ["https://docs.test/", "https://www.docs.test/", "https://a.b.docs.test/"].map(fetchOf),
    allow: ["https://mydocs.test/", "https://docs.test.evil.test/", "https://docs.test@evil.test"].map(
      fetchOf,
    ),
  },
  {
    what: "C249: a lone star is every host",
    under: { allow: ["WebFetch(domain:*)"] },
    allow: ["https://docs.test/", "https://a.b.c.test:81/", "http://127.0.0.1/"].map(fetchOf),
  },
  {
    what: "C293: the other names of the file tools bind them all",
    under: {
      allow: ["Edit", "Write", "NotebookEdit", "Bash"],
      deny: [
        "Write(./conf/**)",
        "NotebookEdit(./lab/**)",
        "Glob(./priv/**)",
        "Grep(./hid/**)",
        "MultiEdit(./gen/**)",
      ],
    },
    deny: [
      ...[
        write("/work/app/conf/a"),
        edit("/work/app/conf/a"),
        notebook("/work/app/lab/a.ipynb"),
        write("/work/app/lab/a"),
      ],
      ...[edit("/work/app/gen/a"), "tee conf/a", "touch lab/b"],
      ...[read("/work/app/priv/a"), read("/work/app/hid/a"), "cat priv/a", edit("/work/app/priv/a")],
      ["Glob", { pattern: "*", path: "/work/app/priv" }] as const,
      ["Grep", { pattern: "x", path: "/work/app/hid" }] as const,
    ],
    allow: [
      write("/work/app/a"),
      edit("/work/app/config/a"),
      notebook("/work/app/a.ipynb"),
      read("/work/app/conf/a"),
    ],
  },
  {
    what: "C297: what was refused with others is judged alone by itself",
    under: { mode: "dontAsk", allow: ["Bash(hg add lib)"] },
    deny: ["hg add lib && hg push", "/usr/bin/hg add lib", "hg add lib/sub"],
    allow: ["hg add lib"],
  },
  {
    what: "C299: a deny or ask that cannot be read binds its whole tool",
    under: { allow: ["Bash", "Edit", "mcp__crm"], deny: ["Bash(", "mcp__crm("], ask: ["Edit(x"] },
    deny: ["ls", "make deploy", ["mcp__crm__list", {}]],
    ask: [edit("/work/app/a"), ["Edit", { file_path: "/work/app/x", old_string: "a", new_string: "b" }]],
  },
  {
    what: "C299: for a server that is the server, and no other",
    under: {
      allow: ["mcp__crm", "mcp__shop", "mcp__bank"],
      deny: ["mcp__crm(list)"],
      ask: ["mcp__bank__get_*(x"],
    },
    deny: [
      ["mcp__crm__list", {}],
      ["mcp__crm__drop", {}],
    ],
    ask: [["mcp__bank__get_all", {}]],
    kept: true,
    allow: [
      ["mcp__shop__buy", {}],
      ["mcp__bank__put", {}],
    ],
  },
  {
    what: "C299: a deny with a range that is none still binds what it spells",
    under: { deny: ["Read(**/[z-a])", "Read(**/open[)"] },
    deny: [read("/work/app/lib/[z-a]"), read("/work/app/open["), "cat '[z-a]'"],
    allow: [read("/work/app/lib/b"), read("/work/app/opened")],
    free: true,
  },
  {
    what: "C299: an allow that cannot be read allows nothing, and the others count",
    under: { allow: ["Bash(", "Bash(xz:*)x", "Bash()", "Edit(x", "Bash(op:*)"] },
    ask: ["xz a", "make deploy", edit("/work/app/x")],
    allow: ["op get x"],
  },
]);

describe("C297: decisions leave nothing behind", () => {
  it("is the same call after any other", async () => {
    const under: World = { mode: "dontAsk", allow: ["Bash(hg add lib)"] };
    const lines = [
      "hg add lib",
      "hg add lib && hg push",
      "hg add lib",
      "hg push",
      "hg add lib; hg push",
      "hg add lib",
    ];
    const got = [];
    for (const line of lines) got.push((await judge(line, under)).behavior);
    expect(got).toEqual(["allow", "deny", "allow", "deny", "deny", "allow"]);
  });
});

describe("rules that are not what they look like are told", () => {
  it.each<[string, RuleBehavior, string, string]>([
    ["C189", "deny", "Bash(tar -xf:*)", "warning flag-dependent"],
    ["C189", "deny", "Bash(git push --force:*)", "warning flag-dependent"],
    ["C298", "deny", "Bash(curl *-T *)", "warning flag-dependent"],
    ["C298", "deny", "Bash(^mkfs.*)", "error regex-like"],
    ["C293", "deny", "Write(./conf/**)", "info other-name"],
    ["C293", "ask", "Glob(./priv/**)", "info other-name"],
    ["C299", "deny", "Bash(", "error malformed"],
    ["C299", "ask", "mcp__crm(x)", "error malformed"],
    ["C299", "allow", "Bash(xz:*", "error malformed"],
  ])("%s: %s %s", (_, behavior, text, finding) => {
    expect(told(behavior, text)).toContain(finding);
  });

  it.each<[string, RuleBehavior, string]>([
    ["C189", "deny", "Bash(tar:*)"],
    ["C293", "deny", "Edit(./conf/**)"],
    ["C299", "allow", "Bash(xz:*)"],
  ])("%s, and a plain rule is left alone: %s %s", (_, behavior, text) => {
    expect(told(behavior, text).filter((each) => !each.startsWith("info"))).toEqual([]);
  });
});
