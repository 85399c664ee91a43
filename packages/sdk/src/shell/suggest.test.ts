import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";
import { isNeverSuggested, subcommandPrefix } from "./suggest.ts";

function first(line: string): ReturnType<typeof analyseFresh>["commands"][number] {
  const command = analyseFresh(line).commands[0];
  if (command === undefined) throw new Error(line);
  return command;
}

describe("suggestions", () => {
  it.each([
    "bash x",
    "python3.11 x.py",
    "node -e 1",
    "sudo ls",
    "env ls",
    "xargs ls",
    "find . -exec ls \\;",
    "eval ls",
    "$X y",
    "./bash run",
    "/usr/bin/Python3 run.py",
    "./",
    "X=1",
    "timeout 5 ls",
    "npx x",
    "make",
    "rm -rf x",
    "f() { ls; }; f",
  ])("never offers: %s", (line) => {
    const command = analyseFresh(line).commands.find(
      (each) => each.text !== "ls" || each.callsFunction === true,
    );
    expect(command === undefined || isNeverSuggested(command)).toBe(true);
  });

  it.each<[string, string | undefined]>([
    ["git push origin main", "git push"],
    ["git -C x push", undefined],
    ["npm run test -- -w", "npm run test"],
    ["npm install x", "npm install"],
    ["npm exec x", undefined],
    ["docker compose up -d", "docker compose up"],
    ["docker run -it x", undefined],
    ["cargo test", "cargo test"],
    ["gh pr list", "gh pr list"],
    ["git $X", undefined],
    ["git 'a b'", undefined],
    ["ls -la", undefined],
    ["./git push", undefined],
  ])("%s -> %s", (line, prefix) => {
    expect(subcommandPrefix(first(line))).toBe(prefix);
  });

  it("offers ordinary programs", () => {
    for (const line of ["git push", "npm run test", "tsc --noEmit", "ls", "./run x", "/opt/tool"])
      expect(isNeverSuggested(first(line))).toBe(false);
  });
});
