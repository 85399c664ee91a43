import { describe, expect, it } from "vitest";
import { nodePlatform, OPEN_FLAGS } from "./index.ts";

const platform = nodePlatform();

describe("ids", () => {
  it("are UUIDs of version 7 that sort by the order in which they were made", () => {
    const ids = Array.from({ length: 2000 }, () => platform.ids.uuid());
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("have a short form with a prefix, over the whole alphabet", () => {
    const ids = Array.from({ length: 500 }, () => platform.ids.short("art"));
    for (const id of ids) expect(id).toMatch(/^art_[a-z0-9]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.flatMap((id) => [...id.slice(4)])).size).toBe(36);
  });
});

describe("the clock", () => {
  it("fires once, and not at all when cancelled", async () => {
    const fired: string[] = [];
    const cancelled = platform.clock.timer(1, () => fired.push("cancelled"));
    cancelled.cancel();
    await new Promise<void>((resolve) => {
      platform.clock.timer(1, () => fired.push("first"));
      platform.clock.timer(20, resolve);
    });
    expect(fired).toEqual(["first"]);
  });

  it("does not take a delay beyond Node's limit for none", async () => {
    let early = false;
    const timer = platform.clock.timer(2 ** 33, () => {
      early = true;
    });
    await new Promise<void>((resolve) => platform.clock.timer(30, resolve));
    timer.cancel();
    expect(early).toBe(false);
  });

  it("tells epoch milliseconds and a time that never goes back", () => {
    expect(Math.abs(platform.clock.now() - Date.now())).toBeLessThan(1000);
    const first = platform.clock.monotonic();
    expect(platform.clock.monotonic()).toBeGreaterThanOrEqual(first);
  });
});

describe("the rest", () => {
  it("hashes bytes and text to the known SHA-256", () => {
    const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(platform.sha256("abc")).toBe(abc);
    expect(platform.sha256(new TextEncoder().encode("abc"))).toBe(abc);
  });

  it("is the live machine", () => {
    process.env.CASTELLAN_PLATFORM_TEST = "seen";
    expect(platform.env.CASTELLAN_PLATFORM_TEST).toBe("seen");
    delete process.env.CASTELLAN_PLATFORM_TEST;
    expect(platform.cwd()).toBe(process.cwd());
    expect(platform.pid).toBe(process.pid);
    const number = platform.random();
    expect(number >= 0 && number < 1).toBe(true);
  });

  it("opens with flags that do not follow links", async () => {
    await expect(platform.fs.open("/proc/self/exe", OPEN_FLAGS.read | OPEN_FLAGS.noFollow)).rejects.toThrow(
      /ELOOP/,
    );
  });
});
