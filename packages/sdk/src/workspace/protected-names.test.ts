import { describe, expect, it } from "vitest";
import { holdsByName, PROTECTED_NAMES, protectedIn } from "./protected-names.ts";

const look = (path: string, first = 0) => protectedIn(path.split("/").filter(Boolean), first);

describe("the protected names", () => {
  it("are these", () => {
    const names = PROTECTED_NAMES.map((each) => each.name);
    for (const name of ".git .hg .svn .claude .qoder .castellan .vscode .idea .husky .github/workflows .ssh .gnupg .aws .kube .bashrc .zshrc .profile .gitconfig .gitmodules .npmrc .pypirc .netrc .envrc .mcp.json .ripgreprc authorized_keys crontab /etc/castellan".split(
      " ",
    )) {
      expect(names).toContain(name);
    }
    expect(new Set(names).size).toBe(names.length);
  });

  it("are found as themselves, at any depth, as file, folder or on the way", () => {
    for (const { name, at } of PROTECTED_NAMES) {
      const base = at === "root" ? "" : "/w/deep";
      expect(look(`${base}/${name}`)?.name).toBe(name);
      expect(look(`${base}/${name}/below/it`)?.name).toBe(name);
      expect(look(`/w${name.startsWith("/") ? name : `/${name}`}x`)).toBeUndefined();
    }
  });

  it.each([
    "/w/.GIT/config",
    "/w/.Git",
    "/w/.git./config",
    "/w/.git /config",
    "/w/.g\u200cit/config",
    "/w/.git::$INDEX_ALLOCATION/config",
    "/w/.\u017fsh/x",
    "/w/.\u212aube/config",
    "/w/.BASHRC",
    "/w/.GitHub/Workflows/ci.yml",
  ])("are found in another spelling: %j", (path) => {
    expect(look(path)).toBeDefined();
  });

  it.each([
    "/w/git",
    "/w/.gitignore",
    "/w/.github/CODEOWNERS",
    "/w/x/workflows",
    "/w/.bashrc.md",
    "/w/etc/castellan",
    "/w/aws",
  ])("are not found in %s", (path) => {
    expect(look(path)).toBeUndefined();
  });

  it("count only from the part on that is asked for", () => {
    expect(look("/home/u/.claude/w/src/x", 4)).toBeUndefined();
    expect(look("/home/u/.claude/w/.git/x", 4)?.name).toBe(".git");
    expect(look("/r/.github/workflows/x", 2)?.name).toBe(".github/workflows");
  });

  it.each([
    "/w/.castellan/settings.json",
    "/w/.claude/settings.local.json",
    "/w/.qoder/settings.json",
    "/w/.castellan/hooks/x.sh",
    "/w/.claude/hooks",
    "/w/.claude/hooks/.git/config",
    "/w/.mcp.json",
    "/w/.CASTELLAN/Settings.JSON",
    "/etc/castellan/managed-settings.json",
  ])("hold rules, wherever they lie: %s", (path) => {
    expect(look(path)?.loaded).toBe(true);
    expect(look(path, path.split("/").length - 1)?.loaded).toBe(true);
  });

  it.each(["/w/.castellan/skills/a/settings.json", "/w/.claude/skills/x.md", "/w/.claude/commands/hooks"])(
    "are protected but hold no rules: %s",
    (path) => {
      expect(look(path)).toMatchObject({ loaded: false });
    },
  );

  it.each([
    ["/.git", { name: ".git", loaded: false }],
    ["/w/.castellan/settings.json", { name: ".castellan", loaded: true }],
    ["/.claude/hooks/.git/config", { name: ".claude", loaded: true }],
    ["/w/.claude/hooks/.git/config", { name: ".claude", loaded: true }],
    ["/w/.castellan/.mcp.json", { name: ".mcp.json", loaded: true }],
    ["/w/.castellan/.mcp.json/.git/x", { name: ".castellan", loaded: true }],
    ["/w/hooks/.git/config", { name: ".git", loaded: false }],
    ["/w/.claude/skills/hooks/.git/config", { name: ".git", loaded: false }],
    ["/w/.claude/CLAUDE.md", { name: ".claude", loaded: false }],
    ["/w/.castellan/my-settings.json", { name: ".castellan", loaded: false }],
    ["/w/.castellan/settings.json.bak", { name: ".castellan", loaded: false }],
    ["/w/.castellan/settings.json/x", { name: ".castellan", loaded: false }],
    ["/w/.castellan", { name: ".castellan", loaded: false }],
    ["/workflows", undefined],
    ["/fish", undefined],
    ["/w/x/etc/profile", undefined],
  ])("make of %s %j", (path, name) => {
    expect(look(path)).toEqual(name);
  });

  it("name the deepest of several", () => {
    expect(look("/w/.vscode/.git/x")?.name).toBe(".git");
  });

  it("know what a folder above them takes away", () => {
    expect(holdsByName(["w", ".github"])?.name).toBe(".github/workflows");
    expect(holdsByName(["w", "a", ".GitHub"])).toEqual({ name: ".github/workflows", loaded: false });
    expect(holdsByName(["w", ".config"])?.name).toBe(".config/fish");
    expect(holdsByName(["w", ".git"])).toBeUndefined();
    expect(holdsByName(["w", ".github", "x"])).toBeUndefined();
    // Only below the root of the disk.
    expect(holdsByName(["w", "etc"])).toBeUndefined();
    expect(holdsByName([])).toBeUndefined();
  });
});
