import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { PathTarget } from "../protocol/index.ts";
import { createWorkspace } from "./index.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "castellan-kept-")));
  for (const folder of ["work/state/approvals", "work/state/sessions", "work/src", "elsewhere"]) {
    mkdirSync(join(base, folder), { recursive: true });
  }
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** The protected name of each target, seen from a work folder with the store in `state`. */
async function marks(...targets: Partial<PathTarget>[]): Promise<(string | undefined)[]> {
  const work = join(base, "work");
  const workspace = await createWorkspace({
    platform: nodePlatform(),
    startDirectory: work,
    home: join(base, "home"),
    additionalDirectories: () => [],
    kept: [join(work, "state/approvals"), join(work, "state/approvals.key"), join(work, "state/sessions")],
  });
  const whole = targets.map((target) => ({ kind: "path", access: "write", ...target }) as PathTarget);
  const found = await workspace.resolveTargets(whole, work, new AbortController().signal);
  return found.map((target) => {
    if (target.kind !== "path") return undefined;
    const mark = target.resolutions.find(({ protected: name }) => name?.kept === true)?.protected;
    return mark?.loaded === true ? mark.name.slice(work.length + 1) : undefined;
  });
}

describe("what the stores keep", () => {
  it("is protected against writes and removals in every spelling, and not against reads", async () => {
    const paths = [
      "state/approvals/apr_1.decision.json",
      "./src/../state/approvals/x",
      "state/approvals",
      "STATE/Approvals/x",
      join(base, "work/state/approvals/deep/er"),
    ];
    for (const path of paths) {
      expect(await marks({ path }, { path, access: "remove" }, { path, access: "read" })).toEqual([
        "state/approvals",
        "state/approvals",
        undefined,
      ]);
    }
    expect(await marks({ path: "state/approvals.key" })).toEqual(["state/approvals.key"]);
    expect(
      await marks({ path: "state/notes.txt" }, { path: "state/approvals2/x" }, { path: "src/a" }),
    ).toEqual([undefined, undefined, undefined]);
  });

  it("is found through links, on the way there and where the store itself is one", async () => {
    symlinkSync(join(base, "work/state"), join(base, "work/src/s"));
    expect(await marks({ path: "src/s/approvals/x" })).toEqual(["state/approvals"]);
    rmSync(join(base, "work/state/approvals"), { recursive: true });
    symlinkSync(join(base, "elsewhere"), join(base, "work/state/approvals"));
    expect(await marks({ path: join(base, "elsewhere/apr_1.json") }, { path: "state/approvals/x" })).toEqual([
      "state/approvals",
      "state/approvals",
    ]);
  });

  it("is protected as a part of a tree that goes, and of what a pattern may mean", async () => {
    expect(
      await marks(
        { path: "state", access: "remove", recursive: true },
        { path: "state", recursive: true },
        { path: "state" },
        { path: "src", access: "remove", recursive: true },
      ),
    ).toEqual(["state/approvals", "state/approvals", undefined, undefined]);
    const glob = true;
    expect(
      await marks(
        { path: "state/*", glob, access: "remove" },
        { path: "st*/app*/x.json", glob },
        { path: "**", glob, access: "remove" },
        { path: "*.tmp", glob, access: "remove" },
        { path: "state/*.key", glob },
        { path: "src/*", glob, access: "remove" },
      ),
    ).toEqual([
      "state/approvals",
      "state/approvals",
      "state/approvals",
      undefined,
      "state/approvals.key",
      undefined,
    ]);
  });
});
