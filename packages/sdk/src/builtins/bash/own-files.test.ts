import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinKit, type Kit } from "../test-kit.ts";

// A line runs in the same shell as our own trap, so it can reach what the trap writes.

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit();
});
afterEach(() => kit.remove());

const FILE = "note=$(trap -p EXIT | sed \"s/.*>|'\\\\\\\\''\\([^']*\\)'.*/\\1/\"); trap - EXIT";

const bash = (command: string) => kit.call("Bash", { command });

describe("the file in which the shell notes where it is", () => {
  it("is found by the lines of these tests", async () => {
    expect((await bash(`${FILE}; echo "$note"; cat "$note" | wc -c`)).text).toMatch(
      /castellan-sh-.*\/cwd\n0$/,
    );
  });

  it.each([
    ["a pipe", "mkfifo"],
    ["a link to an endless device", "ln -s /dev/zero"],
    ["a directory", "mkdir"],
  ])("may become %s: the call ends, and the shell stays", async (_, make) => {
    const { text, isError } = await bash(`${FILE}; rm "$note"; ${make} "$note"; echo done`);
    expect(text).toBe("done");
    expect(isError).toBe(false);
    expect(kit.shell.cwd).toBe(kit.cwd);
  });
});

describe("a line that begins with dashes", () => {
  it.each(["--help", "-- echo hi", "-x"])("is a command like any other: %s", async (line) => {
    expect((await bash(line)).text).toMatch(/command not found\n\(exit code 127\)$/);
  });
});
