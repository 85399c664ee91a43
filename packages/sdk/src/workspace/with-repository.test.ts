import { describe, expect, it } from "vitest";
import type { Target } from "../protocol/index.ts";
import { analyse } from "../shell/index.ts";
import { withRepository } from "./with-repository.ts";

const line = (text: string): Target[] => {
  const analysis = analyse(text);
  return analysis.commands.map((_, command) => ({ kind: "command", analysis, command }));
};
const path: Target = { kind: "path", access: "read", path: "a" };

describe("the repository of a command", () => {
  it("is looked up once, for those that need it", async () => {
    let looks = 0;
    const find = async () => {
      looks++;
      return "/w";
    };
    const targets = [...line("git status; ls; git diff"), path];
    expect(targets.length).toBe(4);
    const found = await withRepository(targets, find);
    expect(looks).toBe(1);
    expect(found.map((target) => ("repository" in target ? target.repository : undefined))).toEqual([
      "/w",
      undefined,
      "/w",
      undefined,
    ]);
    expect(found[0]).toEqual({ ...targets[0], repository: "/w" });
    expect([found[1], found[3]]).toEqual([targets[1], targets[3]]);
  });

  it("is absent where there is none, and what a target claims by itself does not count", async () => {
    const [status] = line("git status");
    const claimed = { ...status, repository: "/else" } as unknown as Target;
    expect(await withRepository([claimed], async () => undefined)).toStrictEqual([status]);
  });

  it("is not looked for where nothing needs it", async () => {
    const find = () => Promise.reject(new Error("looked for"));
    const targets: Target[] = [...line("ls"), path, { kind: "name", value: "git" }];
    expect(await withRepository(targets, find)).toBe(targets);
    const [one] = line("ls");
    if (one?.kind !== "command") throw new Error("no command");
    const beyond: Target[] = [{ ...one, command: 7 }];
    expect(await withRepository(beyond, find)).toBe(beyond);
  });
});
