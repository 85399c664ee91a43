import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { keptPlaces } from "./kept-places.ts";
import { pathLibrary } from "./path-rules.ts";

const platform = nodePlatform();

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "castellan-places-")));
  mkdirSync(join(base, "first"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const look = (names: readonly string[]) => keptPlaces(platform, pathLibrary(platform.os), names, base);

describe("the places of the stores", () => {
  it("are one object for all sessions with the same list, as long as they lie the same", async () => {
    const names = [join(base, "first"), join(base, "missing")];
    const first = await look(names);
    expect(first.map(({ real }) => real)).toEqual(names);
    expect(await look(names)).toBe(first);
    expect(await look([...names])).not.toBe(first);
  });

  it("are looked at again by each session: a link that was set since counts", async () => {
    const names = [join(base, "first"), join(base, "missing")];
    const first = await look(names);
    symlinkSync(join(base, "first"), join(base, "missing"));
    const second = await look(names);
    expect(second.map(({ real }) => real)).toEqual([names[0], names[0]]);
    expect(first.map(({ real }) => real)).toEqual(names);
  });
});
