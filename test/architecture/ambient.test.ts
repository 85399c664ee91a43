import { describe, expect, it } from "vitest";
import { ambientUses } from "./ambient-uses.ts";
import { isTest, sourcesUnder } from "./sources.ts";

// Outside platform/, a file that must reach past the injected ports stands here, with its reason.
const EXCEPTIONS: Record<string, string> = {
  "packages/sdk/src/sessions/stores/sqlite/drivers.ts":
    "looks for a driver that its user installed, or that Node brings",
  "packages/sdk/src/sessions/stores/sqlite/thread.ts":
    "a database lives in a thread of its own: no port could replace it",
};

const outside = () =>
  sourcesUnder("packages/sdk/src").filter(
    (file) => !isTest(file.path) && !file.path.startsWith("packages/sdk/src/platform/"),
  );

describe("ambient globals", () => {
  it("are used in platform/ only", () => {
    const files = outside().filter((file) => !Object.hasOwn(EXCEPTIONS, file.path));
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap((file) => ambientUses(file.text).map((use) => `${file.path}:${use}`))).toEqual([]);
  });

  it("still need each exception", () => {
    const idle = Object.keys(EXCEPTIONS).filter(
      (path) => !outside().some((file) => file.path === path && ambientUses(file.text).length > 0),
    );
    expect(idle).toEqual([]);
  });
});

describe("the search for ambient globals", () => {
  it.each([
    ["Date.now();", "Date.now"],
    ["new Date();", "new Date()"],
    ["const x = Math.random;", "Math.random"],
    ["fetch(url);", "fetch"],
    ["globalThis.fetch(url);", "fetch"],
    ["const { env } = process;", "process"],
    ["process.env.HOME;", "process"],
    ["run({ setTimeout });", "setTimeout"],
    ["await import('node:fs/promises');", "node:fs/promises"],
    ["import { spawn } from 'node:child_process';", "node:child_process"],
    ["import { randomUUID as id } from 'node:crypto';", "randomUUID"],
    ["AbortSignal.timeout(5);", "AbortSignal.timeout"],
    ["console.log(1);", "console"],
  ])("finds %s", (text, what) => {
    expect(ambientUses(`"use it";\n${text}`)).toEqual([`2: ${what}`]);
  });

  it.each([
    "platform.fetch(url);",
    "new Date(0);",
    "import type { Stats } from 'node:fs';",
    "import { createHash } from 'node:crypto';",
    "import { join } from 'node:path';",
    "const run = (fetch: () => void) => fetch();",
    "let p: typeof process;",
    "const port = { setTimeout(ms: number) { return ms; }, fetch: 1 };",
  ])("leaves %s alone", (text) => {
    expect(ambientUses(text)).toEqual([]);
  });
});
