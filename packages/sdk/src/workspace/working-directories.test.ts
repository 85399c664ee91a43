import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryFiles, nodePlatform } from "../platform/index.ts";
import { createPlaces, findPlace, isIn } from "./working-directories.ts";

const fs = memoryFiles(["/w/sub", "/far/deep"], {
  "/one": "-> w",
  "/two": "-> one",
  "/three": "-> two",
  "/w/out": "-> /far/deep",
  "/circle": "-> circle",
});
const platform = { ...nodePlatform(), os: "linux" as const, fs };
const find = (directory: string, base = "/w") => findPlace(platform, posix, directory, base);

describe("a place", () => {
  it.each([
    ["/w", { given: "/w", real: "/w", hops: [] }],
    ["sub", { given: "/w/sub", real: "/w/sub", hops: [] }],
    ["/one", { given: "/one", real: "/w", hops: [] }],
    ["/one/sub", { given: "/one/sub", real: "/w/sub", hops: [] }],
    ["/three", { given: "/three", real: "/w", hops: ["/two", "/one"] }],
    ["/three/sub", { given: "/three/sub", real: "/w/sub", hops: ["/two/sub", "/one/sub"] }],
    // Links first, then `..`.
    ["out/..", { given: "/w", real: "/far", hops: [] }],
    ["/none/x", { given: "/none/x", real: "/none/x", hops: [] }],
    ["/circle", { given: "/circle", real: "/circle", hops: [] }],
  ])("of %s is %j", async (directory, place) => {
    expect(await find(directory)).toEqual(place);
  });

  it("is looked up once, and kept when its link is turned", async () => {
    let to = "/w";
    let follows = 0;
    const turning = {
      ...platform,
      fs: new Proxy(fs, {
        get: (real, name) => {
          if (name === "realpathSync") {
            follows++;
            return () => to;
          }
          return Reflect.get(real, name);
        },
      }),
    };
    const place = createPlaces(turning, posix, "/w");
    expect(await place("/w")).toEqual({ given: "/w", real: "/w", hops: [] });
    to = "/else";
    expect(await place("/w")).toEqual({ given: "/w", real: "/w", hops: [] });
    expect(follows).toBe(1);
    // Any other form is followed part by part.
    expect(await place("/three")).toEqual({ given: "/three", real: "/w", hops: ["/two", "/one"] });
    expect(await place("/w/")).toEqual({ given: "/w", real: "/w", hops: [] });
    expect(await place("sub")).toEqual({ given: "/w/sub", real: "/w/sub", hops: [] });
    expect(follows).toBe(2);
  });

  it("costs one look where no link is on the way", async () => {
    const looks: string[] = [];
    const counting = new Proxy(fs, {
      get: (real, name) => {
        looks.push(String(name));
        return Reflect.get(real, name);
      },
    });
    await createPlaces({ ...platform, fs: counting }, posix, "/w")("/w/sub");
    expect(looks).toEqual(["realpathSync"]);
  });
});

describe("lying in a place", () => {
  const places = [
    { given: "/one", real: "/w", hops: [] },
    { given: "/b", real: "/b", hops: [] },
  ];

  it.each([
    ["/one/x", true],
    ["/w", true],
    ["/w/x", true],
    ["/b/x", true],
    ["/wx", false],
    ["/", false],
    ["/W/x", false],
  ])("of %s: %s", (path, inside) => {
    expect(isIn(posix, places, path, false)).toBe(inside);
  });

  it("knows no letter case on a disk that knows none", () => {
    expect(isIn(posix, places, "/W/x", true)).toBe(true);
    expect(isIn(posix, [{ given: "/A", real: "/R", hops: [] }], "/a/x", true)).toBe(true);
    expect(isIn(posix, [{ given: "/A", real: "/R", hops: [] }], "/r/x", true)).toBe(true);
    expect(isIn(posix, places, "/Wx", true)).toBe(false);
    expect(isIn(posix, [], "/w", true)).toBe(false);
  });
});
