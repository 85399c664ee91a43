import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXAMPLES, type ExampleEnd, exampleText, runExample, runProgram } from "./run-example.ts";

/** The example ended well, and left nothing in the home of the user. */
async function ran(name: string): Promise<ExampleEnd> {
  const end = await runExample(name);
  expect(end.stderr).toBe("");
  expect(end.code).toBe(0);
  expect(end.home).toEqual([]);
  return end;
}

describe("each example runs without a key", () => {
  it("read-only-audit finds the secret and writes nothing", async () => {
    const { stdout, files } = await ran("read-only-audit");
    expect(stdout).toContain('result Grep: mail.js:1:export const password = "hunter2";');
    expect(stdout).toContain("error Write: No such tool: Write.");
    expect(stdout).toContain("done success (4 turns): mail.js, line 1");
    expect(files).toEqual({
      "mail.js": 'export const password = "hunter2";\n',
      "shop.js": 'import { password } from "./mail.js";\n',
    });
  });

  it("order-lookup gives what is there as a result, and what is not as an error", async () => {
    const { stdout } = await ran("order-lookup");
    expect(stdout).toContain("\nresult find_order: lamp: sent on Monday\n");
    expect(stdout).toContain("\nerror find_order: There is no order A-8.\n");
  });

  it("long-tool stops at the interrupt, and its result is kept", async () => {
    const { stdout } = await ran("long-tool");
    const copied = Number(/The handler ends: (\d+) of 10000 pages, stopped by interrupt\./.exec(stdout)?.[1]);
    expect(copied).toBeGreaterThanOrEqual(3);
    expect(copied).toBeLessThan(10_000);
    expect(stdout).toContain(`result copy_pages: {"copied":${copied},"pages":10000}`);
    expect(stdout).toContain("done error_during_execution (1 turn, interrupted)");
  });

  it("json-schema lets through what fits alone", async () => {
    const { stdout } = await ran("json-schema");
    expect(stdout).toMatch(
      /error set_lamp: .*"warm", "cold", got string "pink".*at most 100 \(got number 140\)/,
    );
    expect(stdout).toMatch(/error set_lamp: .*room: is an unknown key/);
    expect(stdout).toContain("result set_lamp: The lamp is warm, at 40 %.");
    expect(stdout).toContain("Calls that reached the handler: 1\n");
  });

  it("weather-tool asks about the far forecast alone", async () => {
    const { stdout } = await ran("weather-tool");
    expect(stdout.match(/^Asked about .*$/gm)).toEqual([
      expect.stringContaining('weather {"city":"Bergen","days":14}'),
    ]);
    expect(stdout).toContain('result weather: {"city":"Bergen","days":0,"sky":"sun"}');
    expect(stdout).toContain('result weather: {"city":"Bergen","days":14,"sky":"clouds"}');
  });

  it("bare-names shows and takes the names as they are", async () => {
    const { stdout } = await ran("bare-names");
    expect(stdout).toContain("[Read, find_item, take_item]");
    expect(stdout).toContain("result find_item: 3 of lamp");
    expect(stdout).toContain("Lamps in stock: 2\n");
  });

  it("callback-policy denies, edits and ends the run", async () => {
    const { stdout, files } = await ran("callback-policy");
    expect(stdout).toContain("error Bash: No commands here. Use Write.");
    expect(stdout).toContain("done error_during_execution (3 turns, denied_interrupt)");
    expect(stdout).toContain("Files: drafts, drafts/report.md. Mails sent: 0.");
    expect(files).toEqual({ "drafts/report.md": "All is well.\n" });
  });

  it("hook-blocks-rm keeps the folder, and lets a lone file go", async () => {
    const { stdout, files } = await ran("hook-blocks-rm");
    expect(stdout.match(/^error Bash: .*Whole folders are not deleted here/gm)).toHaveLength(2);
    expect(stdout).toContain("done success (4 turns)");
    expect(files).toEqual({ "photos/cat.txt": "a cat\n" });
  });

  it("approve-elsewhere waits until another process has approved, with its change", async () => {
    const { stdout } = await ran("approve-elsewhere");
    expect(stdout).toMatch(/^Approved in process \d+: deploy.*, but to staging\.$/m);
    expect(stdout.match(/^Deployed to .*$/gm)).toEqual(["Deployed to staging."]);
    expect(stdout.trimEnd().endsWith("The release is online.")).toBe(true);
  });

  it("wait-for-approval pauses, and goes on with what was approved", async () => {
    const { stdout } = await ran("wait-for-approval");
    expect(stdout).toContain("done paused");
    expect(stdout).toMatch(/^Approved: .*\(ann@example.com\)$/m);
    expect(stdout).toContain("Not to everyone.");
    expect(stdout).toContain("done success");
    expect(stdout).toContain("\nSent: ann@example.com\n");
  });

  it("multi-turn-client remembers, and is refused in plan mode", async () => {
    const { stdout } = await ran("multi-turn-client");
    expect(stdout).toContain("put is denied: Plan mode");
    expect(stdout).toContain("You began with: Put bread into the basket.");
    expect(stdout).toContain("\nBasket: bread\n");
  });

  it("local-model says that a script stands in without an address", async () => {
    const { stdout } = await ran("local-model");
    expect(stdout).toContain("No address given");
    expect(stdout).toContain("result clock: 09:30");
  });

  it("two-queries serves both at the same time, each with its own answer", async () => {
    const { stdout } = await ran("two-queries");
    expect(stdout).toContain("kitchen > I read: kitchen: 21 degrees\n");
    expect(stdout).toContain("cellar > I read: cellar: 17 degrees\n");
    expect(stdout).toContain("Calls at the same time: 2\n");
  });

  it("offline-test is green, and red when the tool does nothing", async () => {
    const nodeArgs = ["--test", "--test-reporter=tap"];
    const green = await runExample("offline-test", { nodeArgs });
    expect(green.stdout).toContain("# pass 3\n");
    expect(green.code).toBe(0);
    const broken = (await exampleText("offline-test")).replace("  notes.push(text);\n", "");
    const red = await runProgram(broken, { nodeArgs });
    expect(red.stdout).toContain("# fail 2\n");
    expect(red.code).toBe(1);
  });
});

describe("the folder", async () => {
  const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith(".mjs"));
  const readme = await readFile(join(EXAMPLES, "README.md"), "utf8");
  const tests = await readFile(new URL(import.meta.url), "utf8");

  it.each(names)("%s is short, says how it is run, is listed and tested", async (name) => {
    const text = await readFile(join(EXAMPLES, name), "utf8");
    expect(text.split("\n").length).toBeLessThanOrEqual(60);
    expect(text).toMatch(/^\/\/ @ts-check\n\/\/ .+\n/);
    expect(text).toMatch(new RegExp(`^//   node (--test )?examples/${name}`, "m"));
    expect(readme).toContain(`](${name})`);
    expect(tests).toContain(`"${name.replace(".mjs", "")}"`);
  });
});
