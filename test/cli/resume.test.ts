import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { DemoFacts } from "../../packages/cli/src/demo/report.ts";
import { ALLOW, expectWhole } from "./killed-demo.ts";
import { runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";

const exec = promisify(execFile);

interface CutDemo extends DemoFacts {
  readonly sessionId: string;
}

/** A demo whose log ends with the first event of this type about this tool, as if the process had been killed there. */
async function cutDemo(place: Scratch, type: string, tool: string): Promise<CutDemo> {
  const report: CutDemo = JSON.parse((await runCli(place, ["demo", "--json"])).stdout);
  const log = report.log ?? "";
  const lines = (await readFile(log, "utf8")).split("\n");
  const last = lines.findIndex(
    (line) => line.includes(`"type":"${type}"`) && line.includes(`"name":"${tool}"`),
  );
  expect(last).toBeGreaterThan(0);
  await writeFile(log, `${lines.slice(0, last + 1).join("\n")}\n`);
  return report;
}

describe("an edit of which nobody knows whether it took", () => {
  it.each([
    { name: "is made again when it did not", took: false, outcomes: ["unknown", "finished"] },
    { name: "is left alone when it did", took: true, outcomes: ["unknown"] },
  ])("$name", async ({ took, outcomes }) => {
    const place = await scratch();
    const { folder, sessionId } = await cutDemo(place, "tool.started", "Edit");
    if (!took) await exec("git", ["checkout", "--quiet", "src/shipping.js"], { cwd: folder });
    const { code, stdout } = await runCli(place, ["run", "--resume", sessionId, ...ALLOW]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("My edit was cut short.") });
    expect(stdout).toContain("Fixed:");
    const events = await place.events();
    expectWhole(events);
    const edits = events.flatMap((event) =>
      event.type === "tool.finished" && event.data.name === "Edit" ? [event.data.outcome] : [],
    );
    expect(edits).toEqual(outcomes);
    const source = await readFile(join(folder, "src/shipping.js"), "utf8");
    expect(source.match(/total >= freeFrom/g)).toHaveLength(1);
  });
});

describe("a session that is gone on with", () => {
  it("keeps its rules where the flags name none: the deny holds, the edit has nobody to ask", async () => {
    const place = await scratch();
    const { sessionId } = await cutDemo(place, "tool.finished", "Grep");
    const { code, stderr, stdout } = await runCli(place, ["run", "--resume", sessionId]);
    expect(code).toBe(3);
    expect(stderr).toContain("└ denied: rule Read(.env) from flagSettings (settings.permissions.deny)");
    expect(stdout).toContain("I changed nothing, so the test still fails.");
  });

  it("says so when nothing is left of it, and takes a new prompt", async () => {
    const place = await scratch();
    const { sessionId }: CutDemo = JSON.parse((await runCli(place, ["demo", "--json"])).stdout);
    const again = await runCli(place, ["run", "--resume", sessionId]);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toMatch(/ession [\w-]+ has nothing left to go on with\. Give a prompt\.\n$/);
    const more = await runCli(place, ["run", "Anything else?", "--resume", sessionId]);
    expect(more).toMatchObject({ code: 0, stdout: expect.stringContaining("Fixed:"), stderr: "" });
  });

  it("is found by --continue in its folder, with its tool", async () => {
    const place = await scratch();
    const { folder } = await cutDemo(place, "tool.finished", "Edit");
    const { code, stderr } = await runCli(place, ["run", "Go on.", "--continue", "--cwd", folder, ...ALLOW]);
    expect(code).toBe(0);
    expect(stderr).toContain("Fix 1 noted: src/shipping.js.");
  });

  it("goes on by --continue without a prompt, where it stopped", async () => {
    const place = await scratch();
    const { folder } = await cutDemo(place, "tool.finished", "Edit");
    const { code, stdout } = await runCli(place, ["run", "--continue", "--cwd", folder, ...ALLOW]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Fixed:") });
  });

  it("names the tool that is missing when --tools leaves it out", async () => {
    const place = await scratch();
    const { sessionId } = await cutDemo(place, "tool.finished", "Edit");
    const { stderr } = await runCli(place, ["run", "--resume", sessionId, "--tools", "Bash,Read", ...ALLOW]);
    expect(stderr).toContain("● log_fix src/shipping.js");
    expect(stderr).toContain("No such tool");
  });
});
