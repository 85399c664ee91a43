import { describe, expect, it } from "vitest";
import { createRecent } from "./recent.ts";

describe("a memory of recent texts", () => {
  it("gives back what was set for the very text", () => {
    const recent = createRecent<number>(4);
    recent.set("a", 1);
    recent.set("b", 2);
    recent.set("a", 3);
    expect([recent.get("a"), recent.get("b"), recent.get("c")]).toEqual([3, 2, undefined]);
  });

  it("tells what was there, and sets a text that was not", () => {
    const recent = createRecent<number>(1);
    expect([recent.getOrSet("a", 1), recent.getOrSet("a", 2), recent.get("a")]).toEqual([undefined, 1, 1]);
    recent.set("a", 3);
    expect([recent.getOrSet("b", 4), recent.getOrSet("a", 5), recent.get("b")]).toEqual([undefined, 3, 4]);
  });

  it("never takes one text for another that shares its hash", () => {
    const recent = createRecent<string>(1);
    // Every second character of these is looked at, and they differ in the others.
    const texts = Array.from("abcdefgh", (letter) => `${"x.".repeat(40)}x${letter}x`);
    for (const text of texts) recent.set(text, text);
    for (const text of texts) expect(recent.get(text)).toBe(text);
  });

  it("keeps no more than its places, and rather those that are asked for", () => {
    const recent = createRecent<number>(2);
    recent.set("hot", 0);
    for (let at = 1; at <= 1_000; at += 1) {
      recent.set(`line ${at}`, at);
      expect(recent.get("hot")).toBe(0);
    }
    const kept = Array.from({ length: 1_000 }, (_, at) => recent.get(`line ${at + 1}`));
    expect(kept.filter((value) => value !== undefined).length).toBeLessThanOrEqual(15);
  });
});
