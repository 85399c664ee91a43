import type { SessionTimer } from "../../protocol/index.ts";

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];

/** A stretch of time in its two largest units: "2 h 5 min". */
export function spanText(ms: number): string {
  let left = Math.max(0, Math.round(ms / 1000)) * 1000;
  const words: string[] = [];
  for (const [name, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) words.push(`${count} ${name}`);
    // A unit that is nought between two others is left out, and nothing smaller follows.
    if (words.length === 2 || (words.length === 1 && count === 0)) break;
  }
  return words.length === 0 ? "0 s" : words.join(" ");
}

/** A moment, to the second. */
export function momentText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** When a timer comes, without an end. */
export function whenText({ at, cron, zone }: SessionTimer): string {
  const next = `${cron === undefined ? "at" : "next at"} ${momentText(at)}`;
  return cron === undefined ? next : `${next} (cron ${cron}, ${zone})`;
}
