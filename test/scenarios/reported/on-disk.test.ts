import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, run, scratch } from "../../kit/session.ts";

// Whole sessions over a real disk, with nobody there to ask.

const SECRET = "k3y-77b1";
const yolo: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
const under = (permissions: object): Options => ({ trustWorkspace: true, settings: { permissions } });

/** A folder with the files, by name; `-> target` is a link. */
function project(files: Readonly<Record<string, string>>): string {
  const cwd = join(scratch(), "prj");
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) {
    const path = join(cwd, name);
    mkdirSync(join(path, ".."), { recursive: true });
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), path);
    else writeFileSync(path, text);
  }
  return cwd;
}

async function told(name: string, input: Record<string, unknown>, options: Options): Promise<string> {
  return (await run(once(name, input), options)).texts.join("\n");
}

describe("C032: variables of a dotenv file in the start directory", () => {
  const cwd = (): string =>
    project({ ".env": `C032_TOKEN=${SECRET}\n`, ".env.local": `C032_TOKEN=${SECRET}\n` });

  it.each(["printenv C032_TOKEN", "env", 'echo "[$C032_TOKEN]"', "bash -c 'set' | grep -v BASH_EXECUTION"])(
    "are in the environment of no tool: %s",
    async (command) => {
      const text = await told("Bash", { command }, { cwd: cwd(), ...yolo });
      expect(text).not.toContain(SECRET);
      // What the program was given is there.
      const env = { ...process.env, C032_TOKEN: "given" };
      expect(await told("Bash", { command }, { cwd: cwd(), env, ...yolo })).toContain("given");
    },
  );
});

describe("C033: a link to what is denied", () => {
  const files = { "safe/key": SECRET, one: "-> two", two: "-> safe/key", folder: "-> safe", open: "fine" };

  it.each<[string, Record<string, unknown>]>([
    ["Read", { file_path: "one" }],
    ["Read", { file_path: "folder/key" }],
    ["Edit", { file_path: "one", old_string: SECRET, new_string: "gone" }],
    ["Write", { file_path: "folder/key", content: "gone" }],
    ["Bash", { command: "cat one" }],
    ["Bash", { command: "cat folder/key" }],
  ])("is as good as that: %s %j", async (name, input) => {
    const cwd = project(files);
    const deny = {
      deny: ["Read(./safe/**)", "Edit(./safe/**)"],
      allow: ["Read(./**)", "Edit(./**)", "Bash(cat:*)"],
    };
    expect(await told(name, input, { cwd, ...under(deny) })).not.toContain(SECRET);
    expect(readFileSync(join(cwd, "safe/key"), "utf8")).toBe(SECRET);
    expect(await told("Read", { file_path: "open" }, { cwd, ...under(deny) })).toContain("fine");
    if (name !== "Edit" && name !== "Write")
      expect(await told(name, input, { cwd, ...yolo })).toContain(SECRET);
  });

  it("C034: a suggestion taken once settles the same call through the link", async () => {
    const cwd = project({ texts: "-> ../far" });
    const far = join(cwd, "..", "far");
    mkdirSync(far);
    writeFileSync(join(far, "a.md"), "one two three");
    const step = (from: string, to: string) => ({
      toolCalls: [
        { name: "Edit", input: { file_path: join(cwd, "texts/a.md"), old_string: from, new_string: to } },
      ],
    });
    let asked = 0;
    const read = { toolCalls: [{ name: "Read", input: { file_path: join(cwd, "texts/a.md") } }] };
    await run([read, step("one", "1"), step("two", "2"), step("three", "3"), "done"], {
      cwd,
      canUseTool: (name, _input, { suggestions }) => {
        if (name === "Edit") asked += 1;
        return { behavior: "allow", updatedPermissions: suggestions };
      },
    });
    expect(readFileSync(join(far, "a.md"), "utf8")).toBe("1 2 3");
    expect(asked).toBe(1);
  });
});

describe("C226: searching past a Read deny", () => {
  const files = {
    ".token": `WORD ${SECRET}`,
    "lib/a": "WORD here",
    "lib/b": "WORD too",
    "vault/id": `WORD ${SECRET}`,
  };
  const deny = { deny: ["Read(./.token)", "Read(./vault/**)"] };
  const search = (input: Record<string, unknown>, name = "Grep", rules: object = deny) =>
    told(name, input, { cwd: project(files), ...under(rules) });

  it.each([
    [{ pattern: "WORD", output_mode: "content" }],
    [{ pattern: "WORD", output_mode: "files_with_matches" }],
    [{ pattern: "WORD", output_mode: "count" }],
    [{ pattern: "WORD", output_mode: "content", glob: "{.token,lib/*}" }],
    [{ pattern: "WORD", output_mode: "content", path: "." }],
  ])("Grep leaves denied files out: %j", async (input) => {
    const text = await search(input);
    expect(text).toContain("lib/a");
    expect(text).not.toMatch(/token|vault|k3y/);
    expect(await search(input, "Grep", {})).toMatch(/token|vault/);
  });

  it("and out of its counts", async () => {
    const count = { pattern: "WORD", output_mode: "count" };
    const numbers = async (rules: object) =>
      [...(await search(count, "Grep", rules)).matchAll(/:(\d+)$/gm)].reduce(
        (sum, [, each]) => sum + Number(each),
        0,
      );
    expect(await numbers(deny)).toBe(2);
    expect(await numbers({})).toBe(4);
    expect(await search(count)).not.toMatch(/\b4\b/);
  });

  it.each([{ pattern: "**/*" }, { pattern: "**/*id*" }, { pattern: "{.token,vault/*,lib/*}" }])(
    "Glob names none of them: %j",
    async (input) => {
      expect(await search(input, "Glob")).not.toMatch(/token|vault/);
      expect(await search(input, "Glob", {})).toMatch(/token|vault/);
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ["Grep", { pattern: "WORD", path: "vault" }],
    ["Glob", { pattern: "*", path: "vault" }],
    ["Glob", { pattern: "vault/*" }],
    ["Grep", { pattern: "WORD", path: ".token" }],
    ["Bash", { command: "ls vault" }],
    ["Bash", { command: "grep -r WORD ." }],
    ["Bash", { command: "rg WORD" }],
  ])(
    "what begins at a denied place, or walks over one in the shell, is refused: %s %j",
    async (name, input) => {
      const refused = await run(once(name, input), {
        cwd: project(files),
        ...under({ ...deny, allow: ["Bash"] }),
      });
      expect(refused.result.permission_denials).toMatchObject([{ tool_name: name }]);
      const { result } = await run(once(name, input), { cwd: project(files), ...under({ allow: ["Bash"] }) });
      expect(result.permission_denials).toEqual([]);
    },
  );
});

describe("C271: names in another form of the same letters", () => {
  const [composed, apart] = ["d\u00e9j\u00e0", "de\u0301ja\u0300"];

  it.each([
    [composed, apart],
    [apart, composed],
  ])("%j on the disk is found as %j", async (there, asked) => {
    const cwd = project({ [`${there}.md`]: "the text" });
    expect((await told("Glob", { pattern: `*${asked}*` }, { cwd })).normalize("NFC")).toContain(composed);
    // The tool opens the path that was judged and no other, and says which one is there.
    expect(await told("Read", { file_path: join(cwd, `${asked}.md`) }, { cwd })).toContain(`${there}.md?`);
    const denied = { cwd, ...under({ deny: [`Read(**/${asked}.md)`] }) };
    expect(await told("Read", { file_path: join(cwd, `${there}.md`) }, denied)).not.toContain("the text");
    expect(await told("Glob", { pattern: "*" }, denied)).not.toContain(there);
    expect(await told("Bash", { command: `cat ${there}.md` }, denied)).not.toContain("the text");
  });
});
