import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALLOW, expectWhole, killedDemo, type Point } from "./killed-demo.ts";
import { runCli } from "./run-cli.ts";
import type { LogEvent } from "./scratch.ts";

const has =
  (type: LogEvent["type"], name?: string): Point =>
  (events) =>
    events.some(
      (event) =>
        event.type === type && (name === undefined || ("name" in event.data && event.data.name === name)),
    );

const points: readonly { readonly name: string; readonly at: Point }[] = [
  { name: "before the first request", at: has("session.configured") },
  { name: "while the first command runs", at: has("tool.started", "Bash") },
  { name: "behind the search", at: has("tool.finished", "Grep") },
  {
    name: "behind the denial",
    at: (events) => events.some((event) => event.type === "tool.decided" && event.data.behavior === "deny"),
  },
  { name: "as the edit starts", at: has("tool.started", "Edit") },
  { name: "behind the edit", at: has("tool.finished", "Edit") },
  {
    name: "as the last command starts",
    at: (events) =>
      events.filter((event) => event.type === "tool.started" && event.data.name === "Bash").length > 1,
  },
];

describe("a demo that was killed", () => {
  it.each(points)(
    "goes on: $name",
    async ({ at }) => {
      const { place, sessionId, folder, left } = await killedDemo(at);
      const { code, stdout, stderr } = await runCli(place, ["run", "--resume", sessionId, ...ALLOW]);
      const events = await place.events();
      expect(events.slice(0, left.length)).toEqual(left);
      expectWhole(events);
      expect(events.at(-1)?.type).toBe("result");
      expect(stderr).not.toContain("does not bring");

      const source = await readFile(join(folder, "src/shipping.js"), "utf8");
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining("Fixed: an order of exactly the threshold ships free."),
      });
      expect(source).toContain("  return total >= freeFrom ? 0 : 5;");
      // The demo's own tool is there again, and is not called twice.
      expect(
        events.filter((event) => event.type === "tool.finished" && event.data.name === "log_fix"),
      ).toHaveLength(1);
    },
    60_000,
  );
});
