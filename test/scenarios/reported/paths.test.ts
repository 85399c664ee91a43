import { describe, expect, it } from "vitest";
import { windowsForm, windowsSuspicion } from "../../../packages/sdk/src/workspace/windows-paths.ts";
import type { Call } from "../../kit/judge.ts";
import { reported } from "../../kit/reported.ts";

const read = (file_path: string): Call => ["Read", { file_path }];
const edit = (file_path: string): Call => ["Edit", { file_path, old_string: "a", new_string: "b" }];
const write = (file_path: string): Call => ["Write", { file_path, content: "x" }];

// Which files a rule names.
reported([
  {
    what: "C001: a deny counts from the first call on, beside a bare allow",
    under: { user: { allow: ["Read"], deny: ["Read(*/.secrets*)"] } },
    deny: [read("/work/app/api/.secrets"), read("/work/app/web/.secrets.local"), "cat api/.secrets"],
    allow: [read("/work/app/api/secrets"), read("/srv/notes")],
  },
  {
    what: "C004: two slashes in front are the root of the disk",
    under: { user: { allow: ["Read"], deny: ["Read(//home/ada/.gnupg/**)", "Read(//srv/vault)"] } },
    deny: [
      read("/home/ada/.gnupg/ring"),
      read("/srv/vault"),
      read("/srv/vault/a"),
      "cat /home/ada/.gnupg/ring",
    ],
    allow: [read("/home/ada/gnupg/ring"), read("/work/app/srv/vault")],
  },
  {
    what: "C004: one slash is the root of the rule's own file",
    under: { deny: ["Read(/vault/**)"], user: { allow: ["Read"], deny: ["Read(/keys/**)"] } },
    deny: [read("/work/app/vault/a"), read("/home/ada/keys/a")],
    allow: [read("/vault/a"), read("/keys/a"), read("/work/app/keys/a"), read("/home/ada/vault/a")],
  },
  {
    what: "C006: a folder in front is taken from the start directory, however the tool spells the path",
    under: { deny: ["Read(api/.secrets)", "Edit(./web/conf/*.yml)"], allow: ["Edit", "Write"] },
    deny: [
      read("/work/app/api/.secrets"),
      read("api/.secrets"),
      read("./web/../api/.secrets"),
      write("/work/app/web/conf/a.yml"),
      edit("web/conf/a.yml"),
    ],
    allow: [read("/work/app/web/api/.secrets"), write("/work/app/conf/a.yml")],
  },
  {
    what: "C030: a Read deny binds the shell's readers",
    under: { allow: ["Bash"], deny: ["Read(./token.txt)"] },
    deny: [
      ...[
        "cat token.txt",
        "tail -n 1 ./token.txt",
        "rg K token.txt",
        "sort < token.txt",
        "head lib/../token.txt",
      ],
      ...[
        "source token.txt",
        ". ./token.txt",
        "base64 token.txt",
        "cp token.txt copy",
        "cat < /work/app/token.txt",
      ],
      ...["cat $PWD/token.txt", "cat 'token'.txt", "cat tok\\en.txt", "git diff --no-index token.txt x"],
    ],
    ask: ["cat tok*", "cat token.t?t", "cat *", 'cat "$F"', "rg -r K .", "grep -r K lib/.."],
    allow: [
      "stat token.txt",
      "ls -l token.txt",
      "echo token.txt >> .gitignore",
      "test -f token.txt",
      "cat notes.txt",
    ],
  },
  {
    // What an interpreter opens is not seen: a documented gap, closed by a sandbox.
    what: "C030: an interpreter is not looked into",
    under: { allow: ["Bash(ruby -e:*)"], deny: ["Read(./token.txt)"] },
    allow: ["ruby -e \"puts File.read('token.txt')\""],
    deny: ["cat token.txt"],
  },
  {
    what: "C031: a name without a star is that name alone",
    under: {
      deny: ["Read(.secrets)", "Read(.secrets.*)"],
      allow: ["Read(.secrets.sample)", "Read(.secretsrc)"],
    },
    deny: [".secrets", ".secrets.local", ".secrets.sample", "lib/.secrets"].map((name) =>
      read(`/work/app/${name}`),
    ),
    allow: [".secretsrc", "secrets", "lib/.secretsrc"].map((name) => read(`/work/app/${name}`)),
    free: true,
  },
  {
    what: "C286: a pattern with `!` makes no hole, and matches nothing",
    under: { deny: ["Read(vault/**)", "Read(!vault/open.txt)", "Read(!notes.txt)", "Read(\\!odd.txt)"] },
    deny: [read("/work/app/vault/open.txt"), read("/work/app/vault/a"), read("/work/app/!odd.txt")],
    allow: [read("/work/app/notes.txt"), read("/work/app/odd.txt")],
    free: true,
  },
  {
    what: "C239: the path of a call is no pattern",
    under: { allow: ["Edit(app/**)", "Edit(lib/[[]x[]]/*.ts)"], mode: "default" },
    allow: [
      "app/[...slug]/page.tsx",
      "app/{a,b}/x.ts",
      "app/$id+/q.($r).tsx",
      "app/(shop)/a b.ts",
      "app/!one#two/*.ts",
      "app/a?b/**",
      "lib/[x]/a.ts",
    ].map((name) => edit(`/work/app/${name}`)),
    ask: ["web/[...slug]/page.tsx", "app*/x", "[app]/x", "lib/x/a.ts"].map((name) =>
      edit(`/work/app/${name}`),
    ),
  },
  {
    what: "C239: the brackets of a deny mean themselves too",
    under: { allow: ["Edit"], deny: ["Edit(app/[id]/**)", "Edit(app/(shop)/**)"] },
    deny: [edit("/work/app/app/[id]/a.ts"), edit("/work/app/app/(shop)/a.ts"), "touch 'app/[id]/a.ts'"],
    allow: [edit("/work/app/app/[slug]/a.ts"), edit("/work/app/app/shop/a.ts")],
  },
  {
    what: "C033: a link is where it leads, for deny and for allow",
    under: {
      fs: {
        "/srv/safe/key": "K",
        "/work/app/link": "-> /srv/safe/key",
        "/work/app/one": "-> two",
        "/work/app/two": "-> link",
        "/work/app/folder": "-> /srv/safe",
        "/work/app/out": "-> /srv/other",
        "/srv/other": "x",
      },
      allow: ["Read(./**)", "Edit(./**)", "Bash(cat:*)"],
      deny: ["Read(//srv/safe/**)"],
    },
    deny: [
      ...[
        read("/work/app/link"),
        edit("/work/app/link"),
        read("/work/app/one"),
        read("/work/app/folder/key"),
      ],
      ...[write("/work/app/folder/new"), "cat link", "cat one", "cat folder/key", "cat < two"],
    ],
    ask: [read("/work/app/out"), edit("/work/app/out")],
    allow: [read("/work/app/plain"), edit("/work/app/plain")],
  },
  {
    what: "C033: a link that leads nowhere or in a circle is never taken for a file inside",
    under: {
      fs: { "/work/app/gone": "-> /srv/new", "/work/app/a": "-> b", "/work/app/b": "-> a" },
      allow: ["Edit(./**)"],
      mode: "acceptEdits",
    },
    ask: [write("/work/app/gone"), write("/work/app/a"), edit("/work/app/b")],
    allow: [write("/work/app/c")],
  },
  {
    what: "C034: a path through a link is allowed where both spellings are",
    under: {
      fs: { "/home/ada/texts/a.md": "x", "/work/app/texts": "-> /home/ada/texts" },
      allow: ["Edit(//home/ada/texts/**)", "Edit(./texts/**)"],
    },
    allow: [edit("/work/app/texts/a.md"), edit("/home/ada/texts/a.md"), write("/work/app/texts/new.md")],
    ask: [edit("/work/app/text"), write("/home/ada/a.md")],
  },
  {
    what: "C034: with one spelling it asks",
    under: {
      fs: { "/home/ada/texts/a.md": "x", "/work/app/texts": "-> /home/ada/texts" },
      allow: ["Edit(//home/ada/texts/**)"],
    },
    ask: [edit("/work/app/texts/a.md")],
    allow: [edit("/home/ada/texts/a.md")],
  },
  {
    what: "C037: letter case hides nothing from a deny, and gives nothing on a disk that tells it apart",
    under: { allow: ["Edit(./Conf/**)"], deny: ["Read(//work/app/Vault/Key.txt)", "Read(.SECRETS)"] },
    deny: [
      read("/work/app/vault/KEY.TXT"),
      read("/WORK/app/Vault/Key.txt"),
      "cat VAULT/key.txt",
      read("/work/app/.secrets"),
    ],
    allow: [edit("/work/app/Conf/a")],
    ask: [edit("/work/app/conf/a")],
  },
  {
    what: "C271: another spelling of the same letters hides nothing",
    under: {
      fs: { "/work/app/re\u0301sume\u0301.env": "K", "/work/app/caf\u00e9.env": "K" },
      deny: ["Read(**/r\u00e9sum\u00e9.env)", "Read(cafe\u0301.env)"],
    },
    deny: [
      read("/work/app/re\u0301sume\u0301.env"),
      read("/work/app/r\u00e9sum\u00e9.env"),
      read("/work/app/caf\u00e9.env"),
      "cat re\u0301sume\u0301.env",
    ],
    allow: [read("/work/app/resume.env"), read("/work/app/cafe.env")],
    free: true,
  },
]);

describe("paths of Windows", () => {
  it.each([
    ["C040", "C:\\Users\\ADALOV~1\\vault\\a", /short form/],
    ["C040", "D:\\PROGRA~2.old\\x", /short form/],
    ["C300", "\\\\evil\\share\\a", /another machine/],
    ["C300", "//evil/share", /another machine/],
    ["C300", "\\\\?\\UNC\\evil\\share\\a", /device path/],
    ["C300", "\\\\.\\pipe\\x", /device path/],
    ["C037", "c:relative", /current folder/],
  ])("%s: %s is asked about", (_, path, why) => {
    expect(windowsSuspicion(path)).toMatch(why);
  });

  it.each(["C:\\Users\\Ada\\vault\\a", "D:\\a~b\\c", "C:\\x\\~1x"])(
    "C040, C300: %s is an ordinary one",
    (path) => {
      expect(windowsSuspicion(path)).toBeUndefined();
    },
  );

  it("C037: the letter of a drive, dots and blanks at the end of names say nothing", () => {
    expect(windowsForm("c:/Vault. /key.txt..")).toBe("C:\\Vault\\key.txt");
    expect(windowsForm("C:\\Vault\\KEY.txt")).toBe("C:\\Vault\\KEY.txt");
  });
});
