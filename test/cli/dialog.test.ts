import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch } from "./scratch.ts";
import { inTerminal, KEY } from "./terminal.ts";

const bash = (command: string) => ({ toolCalls: [{ name: "Bash", input: { command } }] });
/** The model says what the results said: what a person answered must come back in its words. */
const ECHO = "(request) => `I read: ${said(request)}.`";

async function ask(turns: string, ...flags: string[]) {
  const place = await scratch();
  const terminal = await inTerminal(place, ["run", "go", "--model", await place.module(turns), ...flags]);
  return { place, terminal, made: () => access(join(place.work, "made")) };
}

const touch = JSON.stringify({ text: "I make a file.", ...bash("touch made") });

describe("the question in a terminal", () => {
  it("shows the call, why it is asked about, and what would be remembered; allow once runs it", async () => {
    const { terminal, made } = await ask(`${touch}, ${ECHO}`);
    await terminal.until("● Bash touch made\n");
    await terminal.until("? Allow Bash?\n  touch made\n  No rule allows the command `touch made`.\n");
    await terminal.until("● Allow once");
    await terminal.until("○ Allow, and remember for this session: Bash(touch made)");
    await terminal.until("○ Allow, and remember for this project: Bash(touch made)");
    await terminal.until("○ Deny, with a reason");
    await expect(made()).rejects.toThrow();
    terminal.press(KEY.enter);
    await terminal.until("I read: (no output, exit code 0).");
    expect(await terminal.ended).toBe(0);
    await made();
  });

  it("gives the model the reason of a no, and does not run the call", async () => {
    const { terminal, made } = await ask(`${touch}, ${ECHO}`);
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.down + KEY.down + KEY.down + KEY.enter);
    await terminal.until("Why not? The model reads this.");
    terminal.press("use mkdir, grüße");
    await terminal.until("grüße");
    terminal.press(KEY.enter);
    await terminal.until("└ denied: use mkdir, grüße");
    await terminal.until("I read: use mkdir, grüße.");
    expect(await terminal.ended).toBe(0);
    await expect(made()).rejects.toThrow();
  });

  it("takes a no without a reason", async () => {
    const { terminal } = await ask(`${touch}, ${ECHO}`);
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.down + KEY.down + KEY.down + KEY.enter);
    await terminal.until("Why not?");
    terminal.press(KEY.enter);
    await terminal.until("I read: The user said no.");
    expect(await terminal.ended).toBe(0);
  });

  it("asks once about what is remembered, and again about everything else", async () => {
    const { terminal, place } = await ask(
      `${touch}, ${touch}, ${JSON.stringify(bash("touch other"))}, ${ECHO}`,
    );
    await terminal.until("Allow, and remember");
    terminal.press(KEY.down + KEY.enter);
    await terminal.until("? Allow Bash?\n  touch other\n");
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.enter);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text().match(/\? Allow Bash\?/g)).toHaveLength(2);
    const rules = (await place.events()).filter((event) => event.type === "rules.changed");
    expect(rules.map((event) => event.data.rules)).toEqual([
      [expect.objectContaining({ text: "Bash(touch made)", behavior: "allow", source: "session" })],
    ]);
  });

  it.each(["ctrlC", "escape"] as const)("%s answers no and ends the run", async (key) => {
    const { terminal, made, place } = await ask(`${touch}, ${ECHO}`);
    await terminal.until("Deny, with a reason");
    terminal.press(KEY[key]);
    await terminal.until("castellan: To go on: castellan run --resume ");
    expect(await terminal.ended).toBe(130);
    await expect(made()).rejects.toThrow();
    const events = await place.events();
    expect(events.filter((event) => event.type === "model.requested")).toHaveLength(1);
    expect(events.filter((event) => event.type === "tool.finished")).toHaveLength(1);
    expect(events.at(-1)?.type).toBe("result");
  });

  it("ends at Ctrl-C in the middle of a reason, too", async () => {
    const { terminal, made } = await ask(`${touch}, ${ECHO}`);
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.down + KEY.down + KEY.down + KEY.enter);
    await terminal.until("Why not?");
    terminal.press(`becau${KEY.ctrlC}`);
    expect(await terminal.ended).toBe(130);
    await expect(made()).rejects.toThrow();
  });

  it("means no until told otherwise where a call cannot be undone, and offers nothing to remember", async () => {
    const { terminal, place } = await ask(`${JSON.stringify(bash("rm -rf kept"))}, ${ECHO}`);
    await writeFile(join(place.work, "kept"), "");
    await terminal.until("? Allow Bash? It cannot be undone.\n  rm -rf kept\n");
    await terminal.until("○ Allow once");
    await terminal.until("● Deny, with a reason");
    expect(terminal.text()).not.toContain("remember");
    terminal.press(KEY.enter);
    await terminal.until("Why not?");
    terminal.press(KEY.enter);
    expect(await terminal.ended).toBe(0);
    await access(join(place.work, "kept"));
  });

  it("shows an edit as changed lines, and all of a long file on demand", async () => {
    const content = Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n");
    const edit = { file_path: "a.txt", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree" };
    const turns = [
      { toolCalls: [{ name: "Read", input: { file_path: "a.txt" } }] },
      { toolCalls: [{ name: "Edit", input: edit }] },
      { toolCalls: [{ name: "Write", input: { file_path: "long.txt", content } }] },
    ];
    const { terminal, place } = await ask(`...${JSON.stringify(turns)}, ${ECHO}`);
    await writeFile(join(place.work, "a.txt"), "one\ntwo\nthree\n");
    await terminal.until("? Allow Edit?\n  a.txt\n  one\n  - two\n  + 2\n  three\n");
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.enter);
    await terminal.until("? Allow Write?\n  long.txt\n  + line 0\n");
    await terminal.until("… 41 more lines are part of this call");
    await terminal.until("Show the 41 lines that are left out");
    terminal.press(KEY.up + KEY.enter);
    await terminal.until("  + line 59\n");
    await terminal.until("● Allow once");
    terminal.press(KEY.enter);
    expect(await terminal.ended).toBe(0);
    expect(await readFile(join(place.work, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
    expect(await readFile(join(place.work, "long.txt"), "utf8")).toBe(content);
  });

  it("asks one question at a time, and prints what happens meanwhile behind it", async () => {
    const turns = {
      text: "Much at once.",
      toolCalls: [
        { name: "Write", input: { file_path: "a.txt", content: "a" } },
        { name: "Read", input: { file_path: "seen.txt" } },
        { name: "Write", input: { file_path: "b.txt", content: "b" } },
      ],
    };
    const { terminal, place } = await ask(`${JSON.stringify(turns)}, ${ECHO}`);
    await writeFile(join(place.work, "seen.txt"), "seen\n");
    await terminal.until("? Allow Write?\n  a.txt\n");
    await terminal.until("Deny, with a reason");
    const before = terminal.text();
    expect(before).toMatch(/Much at once\.\n● Write a\.txt\n● Read seen\.txt\n● Write b\.txt\n/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(terminal.text().startsWith(before)).toBe(true);
    expect(terminal.text()).not.toContain("└ ");
    terminal.press(KEY.enter);
    await terminal.until("? Allow Write?\n  b.txt\n");
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.enter);
    expect(await terminal.ended).toBe(0);
  });

  it("lets nothing through that acts on the terminal", async () => {
    const attack = "a\u001b]52;c;ZXZpbA==\u0007b\u001b[2Jc\rd\u202ee";
    const call = { text: attack, toolCalls: [{ name: "Bash", input: { command: `echo '${attack}'` } }] };
    const named = { toolCalls: [{ name: attack, input: {} }] };
    const { terminal } = await ask(`${JSON.stringify(call)}, ${JSON.stringify(named)}, ${ECHO}`);
    await terminal.until("? Allow Bash?");
    await terminal.until("a�]52;c;ZXZpbA==�b�[2Jc\n  d�e'");
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.enter);
    expect(await terminal.ended).toBe(0);
    for (const sequence of ["\u001b]", "\u0007", "\u001b[2J", "\u202e", "c\rd"]) {
      expect(terminal.raw()).not.toContain(sequence);
    }
  });
});

describe("castellan demo in a terminal", () => {
  it("asks the person, fits into 80 columns and says who answered", async () => {
    const terminal = await inTerminal(await scratch(), ["demo"]);
    await terminal.until("? Allow Edit?\n  src/shipping.js\n  - return total > freeFrom ? 0 : 5;\n");
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.enter);
    await terminal.until("Edit src/shipping.js        allow   asked, you allowed it\n");
    await terminal.until("tests    fail before, pass after");
    expect(await terminal.ended).toBe(0);
  });

  it("ends honestly when the person says no", async () => {
    const terminal = await inTerminal(await scratch(), ["demo"]);
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.down + KEY.down + KEY.down + KEY.enter);
    await terminal.until("Why not?");
    terminal.press(`leave it${KEY.enter}`);
    await terminal.until("I changed nothing, so the test still fails. The answer to my edit was: leave it");
    await terminal.until("Edit src/shipping.js        deny    asked, you denied it: leave it\n");
    await terminal.until("  nothing\n");
    await terminal.until("tests    fail before, fail after");
    expect(await terminal.ended).toBe(0);
  });

  it("tells how to go on after Ctrl-C", async () => {
    const terminal = await inTerminal(await scratch(), ["demo"]);
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.ctrlC);
    await terminal.until("Every decision, and why");
    await terminal.until("  To go on: npx castellan run --resume ");
    expect(await terminal.ended).toBe(130);
  });
});
