import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { revoke } from "./revoke.ts";
import { withOther } from "./test-kit.ts";
import type { RevokeOptions } from "./types.ts";

let folder: string;
let options: RevokeOptions;
const local = (): string => join(folder, "app/.castellan/settings.local.json");
const shared = (): string => join(folder, "app/.castellan/settings.json");

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "revoke-"));
  await mkdir(join(folder, "app/.castellan"), { recursive: true });
  await mkdir(join(folder, "home"));
  options = { cwd: join(folder, "app"), home: join(folder, "home") };
  await writeFile(
    local(),
    '{\n  // Mine.\n  "permissions": { "allow": ["Bash(a)", "Bash(b)"], "deny": ["Bash(a)"] }\n}\n',
  );
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("revoke", () => {
  it("takes the rule out of its file and leaves the rest", async () => {
    expect(await revoke("Bash(a)", options)).toEqual({ revoked: true, files: [local()] });
    expect(await readFile(local(), "utf8")).toBe(
      '{\n  // Mine.\n  "permissions": { "allow": ["Bash(b)"], "deny": ["Bash(a)"] }\n}\n',
    );
    expect(await revoke("Bash(a)", { ...options, behavior: "deny" })).toMatchObject({ revoked: true });
    expect(await revoke("Bash(a)", options)).toMatchObject({ revoked: false });
  });

  it("says in which other list it stands", async () => {
    await writeFile(shared(), '{ "permissions": { "allow": ["Bash(ax)"], "deny": ["Bash(x)"] } }');
    expect(await revoke("Bash(x)", options)).toEqual({
      revoked: false,
      reason: "not_found",
      nearest: [{ rule: "Bash(x)", behavior: "deny", source: "project", file: shared() }],
    });
  });

  it.each(["{", "\u0000"])("does not say that a file without sense lacks the rule: %j", async (text) => {
    await writeFile(shared(), text);
    const broken = { code: "invalid_settings", message: expect.stringContaining(shared()) };
    await expect(revoke("Bash(q)", options)).rejects.toMatchObject(broken);
    await expect(revoke("Bash(q)", { ...options, from: "project" })).rejects.toMatchObject(broken);
    expect(await revoke("Bash(q)", { ...options, from: "local" })).toMatchObject({ revoked: false });
    expect(await revoke("Bash(a)", options)).toMatchObject({ revoked: true });
  });

  it("names the nearest where it is not there", async () => {
    expect(await revoke("Bash(aa)", { ...options, from: "local" })).toEqual({
      revoked: false,
      reason: "not_found",
      nearest: [
        { rule: "Bash(a)", behavior: "allow", source: "local", file: local() },
        { rule: "Bash(b)", behavior: "allow", source: "local", file: local() },
      ],
    });
    expect(await revoke("Bash(a)", { ...options, from: "user" })).toMatchObject({
      revoked: false,
      nearest: [],
    });
  });

  it("touches none of several files until it is told which", async () => {
    await writeFile(shared(), '{"permissions": {"rules": [{"rule": "Bash(a)", "behavior": "allow"}]}}');
    expect(await revoke("Bash(a)", options)).toMatchObject({ revoked: false, reason: "several" });
    expect(await readFile(local(), "utf8")).toContain('"allow": ["Bash(a)"');
    expect(await revoke("Bash(a)", { ...options, from: "project" })).toEqual({
      revoked: true,
      files: [shared()],
    });
    expect(await readFile(shared(), "utf8")).toBe('{"permissions": {"rules": []}}');
  });

  it("keeps what another program writes meanwhile", async () => {
    const text = '{ "permissions": { "allow": ["Bash(a)", "Bash(new)"] } }';
    const platform = withOther(() => writeFile(local(), text));
    expect(await revoke("Bash(a)", { ...options, platform })).toEqual({ revoked: true, files: [local()] });
    expect(await readFile(local(), "utf8")).toBe('{ "permissions": { "allow": ["Bash(new)"] } }');
  });

  it.each([
    ["the file", "removed meanwhile", () => rm(local())],
    ["its folder", "removed meanwhile", () => rm(dirname(local()), { recursive: true })],
    ["the rule", "does not hold Bash(a) any more", () => writeFile(local(), "{}")],
  ])("says that %s was taken away meanwhile", async (_, words, work) => {
    const failing = revoke("Bash(a)", { ...options, platform: withOther(work) });
    await expect(failing).rejects.toMatchObject({
      code: "invalid_settings",
      message: expect.stringMatching(
        new RegExp(`settings\\.local\\.json was not changed: .*${words.replace(/[()]/g, "\\$&")}`),
      ),
      fix: "Look at it, and try again.",
    });
  });

  it.each([
    ["", {}],
    ["Bash(a)", { from: "policy" }],
    ["Bash(a)", { behavior: "no" }],
    ["Bash(a)", { frm: "user" }],
  ])("refuses %j %j", async (rule, wrong) => {
    await expect(revoke(rule, { ...options, ...wrong } as RevokeOptions)).rejects.toMatchObject({
      code: "invalid_option",
    });
  });
});
