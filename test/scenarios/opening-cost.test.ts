import { createHost } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { nodePlatform } from "../../packages/sdk/src/platform/index.ts";
import { live } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

type Files = ReturnType<typeof nodePlatform>["fs"];

/** The real file system; `onCall` is told of each call before it is made, and may throw in its place. */
function watchedFiles(onCall: (name: string, args: readonly unknown[]) => void): Files {
  const watched = Object.entries(nodePlatform().fs).map(([name, call]) => [
    name,
    typeof call === "function"
      ? (...args: unknown[]) => {
          onCall(name, args);
          return (call as (...args: unknown[]) => unknown)(...args);
        }
      : call,
  ]);
  return Object.fromEntries(watched);
}

function hostOver(fs: Files) {
  const home = scratch();
  return createHost({ platform: { fs, env: { ...process.env, CASTELLAN_HOME: home } } });
}

describe("the files of a session", () => {
  it("are opened, written and closed without the thread pool, but for what has to be made, whatever else is stored", async () => {
    const calls: string[] = [];
    const host = hostOver(watchedFiles((name) => calls.push(name)));
    // The folder above has a name without letters more often than not: one file tells the case rule.
    const cwd = scratch();
    await nodePlatform().fs.writeFile(`${cwd}/readme`, "");
    const counts: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      // What the first session of a process learns is not asked again.
      calls.length = 0;
      const session = live("go", { model: scriptedModel(["done"]), cwd }, host);
      await session.ended;
      expect(session.results()).toMatchObject([{ subtype: "success" }]);
      if (i === 0) continue;
      expect(calls.filter((name) => !name.endsWith("Sync"))).toEqual(["mkdir", "writeFile", "open"]);
      counts.push(calls.length);
    }
    // One stat for each folder above the start directory is part of it.
    const depth = cwd.split("/").length;
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeLessThanOrEqual(20 + depth);
    await host.close();
  });

  it("that a disk refuses to write are named in the result", async () => {
    const fault = Object.assign(new Error("EIO: i/o error, write"), { code: "EIO" });
    const host = hostOver(
      watchedFiles((name) => {
        if (name === "writeSync") throw fault;
      }),
    );
    const session = live("go", { model: scriptedModel(["done"]) }, host);
    await session.ended;
    expect(session.results()).toMatchObject([
      {
        subtype: "error_during_execution",
        terminal_reason: "store_failed",
        errors: [expect.stringMatching(/Writing to .*log\.jsonl failed: EIO/)],
      },
    ]);
    await host.close();
  });
});
