import { describe, expect, it } from "vitest";
import { analyse } from "../../shell/index.ts";
import { isDestructiveLine, isReadOnlyLine, movesShell } from "./line-facts.ts";

describe("what is said about a line", () => {
  it.each([
    ["ls -la", true],
    ["echo hi && pwd", true],
    ["rm -rf x", false],
    ["echo hi > file", false],
    ['eval "$X"', false],
    ["node x.js", false],
  ])("%s only reads: %s", (command, reads) => {
    expect(isReadOnlyLine(analyse(command))).toBe(reads);
  });

  it.each([
    ["rm x", true],
    ["cd a && /bin/rm -rf b", true],
    ["git push --force", true],
    ["git -C x reset --hard", true],
    ["find . -delete", true],
    ["git push", false],
    ["ls", false],
  ])("%s destroys: %s", (command, destroys) => {
    expect(isDestructiveLine(analyse(command))).toBe(destroys);
  });

  it.each([
    ["cd sub", true],
    ["ls && cd sub", true],
    ["ls cd", false],
  ])("%s moves the shell: %s", (command, moves) => {
    expect(movesShell(analyse(command))).toBe(moves);
  });
});
