import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";
import { isNeverSuggested, subcommandPrefix } from "./suggest.ts";

/** The last command, so that what stands before it may define it. */
function last(line: string): ReturnType<typeof analyseFresh>["commands"][number] {
  const command = analyseFresh(line).commands.at(-1);
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
    "l* -a",
    "Git push",
    "./Tool run",
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
    ["git p*", undefined],
    ["git", undefined],
    ["$X push", undefined],
    ["gi* push", undefined],
    ["f() { ls; }; git push", "git push"],
    ["alias git=ls; git push", undefined],
    ["pnpm dlx x", undefined],
    ["bun x y", undefined],
    ["npm run-script test", "npm run-script test"],
    ["npm run", undefined],
    ["npm run 'a b'", undefined],
    ["git remote add a b", "git remote add"],
    ["git stash", undefined],
    ["git stashes x", "git stashes"],
    ["docker recompose x", "docker recompose"],
    ["aws s3 ls", "aws s3 ls"],
    ["gcloud compute ssh x", "gcloud compute ssh"],
    ["az group list", "az group list"],
    ["glab mr list", "glab mr list"],
    ["kubectl run x", undefined],
    ["cargo run", "cargo run"],
    ["go run .", "go run"],
  ])("%s -> %s", (line, prefix) => {
    expect(subcommandPrefix(last(line))).toBe(prefix);
  });

  it("offers ordinary programs", () => {
    for (const line of ["git push", "npm run test", "tsc --noEmit", "ls", "./run x", "/opt/tool"])
      expect(isNeverSuggested(last(line))).toBe(false);
  });
});
