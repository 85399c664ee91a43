import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";

const TOUCH = [{ toolCalls: [{ name: "Bash", input: { command: "touch made" } }] }, { text: "done" }];
const ALLOW = JSON.stringify({ permissions: { allow: ["Bash(touch:*)"] } });

async function run(place: Scratch, ...flags: string[]) {
  return runCli(place, ["run", "go", "--model", await place.script(TOUCH), ...flags]);
}

async function projectAllows(place: Scratch, folder = ".castellan"): Promise<void> {
  await mkdir(join(place.work, folder));
  await writeFile(join(place.work, folder, "settings.json"), ALLOW);
}

describe("settings on the command line", () => {
  it("of a project count once the workspace is trusted; until then the run says so, once", async () => {
    const place = await scratch();
    await projectAllows(place);
    const before = await run(place);
    expect(before.code).toBe(3);
    expect(before.stderr.match(/Until this workspace is trusted/g)).toHaveLength(1);
    const json = await run(place, "--json");
    expect(json.stderr).toContain("castellan: warning: Settings (projectSettings");
    expect(() => JSON.parse(json.stdout)).not.toThrow();

    const trusted = await runCli(place, ["trust", "--json"]);
    expect(JSON.parse(trusted.stdout)).toMatchObject({ workspace: place.work, trusted: true, changed: true });
    const after = await run(place);
    expect([after.code, after.stderr]).toEqual([0, expect.not.stringContaining("trusted")]);
    await readFile(join(place.work, "made"));
    expect((await runCli(place, ["trust"])).stdout).toContain("was already trusted");
    expect((await runCli(place, ["trust", "--remove"])).stdout).toContain("is not trusted");
    expect((await run(place)).code).toBe(3);
    expect((await run(place, "--trust-workspace")).code).toBe(0);
  });

  it("are read in other hosts' folders too, or not at all", async () => {
    const place = await scratch();
    await projectAllows(place, ".claude");
    expect((await run(place, "--trust-workspace")).code).toBe(0);
    expect((await run(place, "--trust-workspace", "--setting-sources", "none")).code).toBe(3);
    expect((await run(place, "--trust-workspace", "--setting-sources", "user,local")).code).toBe(3);
    const wrong = await run(place, "--setting-sources", "users");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("user, project, local")]);
  });

  it("come from a flag as a file or as JSON", async () => {
    const place = await scratch();
    await writeFile(join(place.work, "extra.json"), ALLOW);
    expect((await run(place, "--settings", "extra.json")).code).toBe(0);
    expect((await run(place, "--settings", ALLOW)).code).toBe(0);
    const missing = await run(place, "--settings", "none.json");
    expect([missing.code, missing.stderr]).toEqual([6, expect.stringContaining("There is no settings file")]);
    expect((await run(place, "--settings", "{")).code).toBe(2);
  });
});
