import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";

const TEXT = `{
  // Ours.
  "permissions": {
    "deny": ["Bash(git push :* )", "Bash(do)"],
    "allow": ["Bash(ls :*)", "Bash(npm run deploy:*)"]
  }
}
`;

async function projectWith(text: string): Promise<{ readonly place: Scratch; readonly file: string }> {
  const place = await scratch();
  const file = join(place.work, ".castellan", "settings.json");
  await mkdir(join(place.work, ".castellan"), { recursive: true });
  await writeFile(file, text);
  return { place, file };
}

describe("castellan permissions lint", () => {
  it("tells what is wrong with the files of a folder, for a person and as JSON", async () => {
    const { place } = await projectWith(TEXT);
    const { code, stdout } = await runCli(place, ["permissions", "lint"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^error {4}.*settings\.json, line 4: deny Bash\(git push :\* \): .*\[space-around-star\]\n/m,
    );
    expect(stdout).toContain("\n         --fix writes Bash(git push:*)\n");
    expect(stdout).toContain("\n         write Bash(ls:*)\n");
    expect(stdout).toMatch(/\n2 errors, 1 warning, 0 notes\n$/);
    const json = await runCli(place, ["permissions", "lint", "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout).findings[1]).toMatchObject({
      code: "space-around-star",
      severity: "error",
      rule: "Bash(git push :* )",
      list: "deny",
      source: "projectSettings",
      line: 4,
      fix: "Bash(git push:*)",
    });
  });

  it("writes what loosens nothing, and fails for what is left", async () => {
    const { place, file } = await projectWith(TEXT);
    const { code, stdout } = await runCli(place, ["permissions", "lint", "--fix"]);
    expect(code).toBe(1);
    expect(stdout).toContain(": deny: Bash(git push :* ) is now Bash(git push:*)\n");
    expect(stdout).toMatch(/\n1 fixed, 1 error, 1 warning, 0 notes\n$/);
    expect(await readFile(file, "utf8")).toBe(TEXT.replace("push :* ", "push:*"));
  });

  it("is silent and done where nothing is wrong, and reads a file that is named", async () => {
    const { place } = await projectWith(TEXT);
    await writeFile(join(place.work, "good.json"), '{"permissions": {"deny": ["Bash(rm:*)"]}}');
    const { code, stdout } = await runCli(place, ["permissions", "lint", "--settings", "good.json"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "0 errors, 0 warnings, 0 notes\n" });
    await writeFile(join(place.work, "key.json"), '{"permissions": {"denny": ["Bash(rm:*)"]}}');
    const key = await runCli(place, ["permissions", "lint", "--settings", "key.json"]);
    expect(key.stdout).toMatch(/line 1: permissions\.denny is no key of settings, .* \[unknown-key\]\n/);
    const inline = JSON.stringify({ permissions: { deny: ["Bash(ls :*)"] } });
    const given = await runCli(place, ["permissions", "lint", "--fix", "--settings", inline]);
    expect(given.stdout).toMatch(/^error {4}settings.*\n {9}write Bash\(ls:\*\)\n0 fixed, 1 error, /);
    const none = await runCli(place, ["permissions", "lint", "--settings", "none.json"]);
    expect(none.code).toBe(6);
    expect(none.stderr).toContain("none.json");
  });
});

describe("castellan permissions revoke", () => {
  it("takes a rule out of its file, and is loud when it is not there", async () => {
    const { place, file } = await projectWith(TEXT);
    const gone = await runCli(place, ["permissions", "revoke", "Bash(npm run deploy:*)"]);
    expect(gone.code).toBe(0);
    expect(gone.stdout).toMatch(/^revoked allow Bash\(npm run deploy:\*\) from .*settings\.json\n$/);
    expect(await readFile(file, "utf8")).not.toContain("deploy");
    const again = await runCli(place, ["permissions", "revoke", "Bash(ls:*)", "--from", "project"]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain(
      "no project settings file holds Bash(ls:*) in allow. Nearest are:\n  Bash(ls :*)",
    );
    const json = await runCli(place, ["permissions", "revoke", "Bash(x)", "--behavior", "deny", "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ revoked: false, reason: "not_found" });
  });
});
