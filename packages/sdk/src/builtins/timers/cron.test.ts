import { describe, expect, it } from "vitest";
import { readCron } from "./cron.ts";

async function timesOf(cron: string, zone: string, from: string, count: number): Promise<string[]> {
  const times = await readCron(cron, zone);
  if (typeof times === "string") throw new Error(times);
  const found: string[] = [];
  let at: number | undefined = Date.parse(from);
  for (let i = 0; i < count && at !== undefined; i += 1) {
    at = times.next(at);
    found.push(at === undefined ? "never" : new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe("the days on which clocks change", () => {
  it.each<[string, string, string, string, readonly string[]]>([
    [
      "a time that is left out comes when the clock goes on, that day",
      ...(["30 2 * * *", "Europe/Berlin", "2026-03-28T00:00Z"] as const),
      ["2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"],
    ],
    [
      "several of them come once together",
      ...(["*/10 2 * * *", "Europe/Berlin", "2026-03-28T02:00Z"] as const),
      ["2026-03-29T01:00", "2026-03-30T00:00", "2026-03-30T00:10"],
    ],
    [
      "and once with the one that stands there anyhow",
      ...(["0,30 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00Z"] as const),
      ["2026-03-29T01:00", "2026-03-29T01:30", "2026-03-30T00:00"],
    ],
    [
      "a time that comes twice comes the first time",
      ...(["30 2 * * *", "Europe/Berlin", "2026-10-24T00:00Z"] as const),
      ["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"],
    ],
    [
      "also where minutes are counted within a named hour",
      ...(["*/30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z"] as const),
      ["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-26T01:00"],
    ],
    [
      "and asked for in between",
      ...(["*/30 2 * * *", "Europe/Berlin", "2026-10-25T01:10Z"] as const),
      ["2026-10-26T01:00", "2026-10-26T01:30"],
    ],
    [
      "what comes every hour comes every hour",
      ...(["30 * * * *", "Europe/Berlin", "2026-10-24T23:00Z"] as const),
      ["2026-10-24T23:30", "2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T02:30"],
    ],
    [
      "in spring too",
      ...(["30 * * * *", "Europe/Berlin", "2026-03-29T00:00Z"] as const),
      ["2026-03-29T00:30", "2026-03-29T01:30"],
    ],
    [
      "New York, spring",
      ...(["30 2 * * *", "America/New_York", "2026-03-07T12:00Z"] as const),
      ["2026-03-08T07:00", "2026-03-09T06:30"],
    ],
    [
      "New York, autumn",
      ...(["30 1 * * *", "America/New_York", "2026-10-31T12:00Z"] as const),
      ["2026-11-01T05:30", "2026-11-02T06:30"],
    ],
    [
      "Lord Howe changes by half an hour, spring",
      ...(["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z"] as const),
      ["2026-10-03T15:30", "2026-10-04T15:15"],
    ],
    [
      "Lord Howe, autumn",
      ...(["45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00Z"] as const),
      ["2026-04-04T14:45", "2026-04-05T15:15"],
    ],
    [
      "a midnight that is left out",
      ...(["0 0 * * *", "Africa/Cairo", "2026-04-23T12:00Z"] as const),
      ["2026-04-23T22:00", "2026-04-24T21:00"],
    ],
    [
      "a zone that never changes",
      ...(["0 9 * * *", "Asia/Kolkata", "2026-03-28T12:00Z"] as const),
      ["2026-03-29T03:30", "2026-03-30T03:30"],
    ],
  ])("%s (%s, %s)", async (_, cron, zone, from, want) => {
    expect(await timesOf(cron, zone, from, want.length)).toEqual(want);
  });

  // Every zone has its days, and each day has its one run: whatever the rules of a zone are in a year to come.
  it.each([
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "America/Santiago",
  ])("in %s a time of day comes once on each day of a year and more", async (zone) => {
    for (const cron of ["30 2 * * *", "15 0 * * *", "45 1 * * *", "0 23 * * *"]) {
      const times = await readCron(cron, zone);
      if (typeof times === "string") throw new Error(times);
      const days = new Intl.DateTimeFormat("sv", { timeZone: zone });
      let at = Date.parse("2026-01-01T00:00Z");
      let last = days.format(at);
      for (let i = 0; i < 400; i += 1) {
        const next = times.next(at) ?? 0;
        const day = days.format(next);
        if (i > 0) {
          expect(next).toBeGreaterThan(at);
          expect(Date.parse(day) - Date.parse(last), `${cron} behind ${last}`).toBe(86_400_000);
        }
        at = next;
        last = day;
      }
    }
  });
});

describe("what a cron may be", () => {
  it.each<[string, readonly string[]]>([
    ["0 0 29 2 *", ["2028-02-29T00:00", "2032-02-29T00:00"]],
    ["0 0 13 * 5", ["2026-11-06T00:00", "2026-11-13T00:00", "2026-11-20T00:00"]],
    ["0 12 * * MON-FRI", ["2026-11-02T12:00", "2026-11-03T12:00"]],
    ["0 12 * * 7", ["2026-11-01T12:00", "2026-11-08T12:00"]],
    ["0 0 1 jan,Jul *", ["2027-01-01T00:00", "2027-07-01T00:00"]],
    ["5-10/5  1,2 * * *", ["2026-11-01T01:05", "2026-11-01T01:10", "2026-11-01T02:05"]],
    ["* * * * *", ["2026-11-01T00:01", "2026-11-01T00:02"]],
  ])("%s", async (cron, want) => {
    expect(await timesOf(cron, "UTC", "2026-11-01T00:00Z", want.length)).toEqual(want);
  });

  it("a date that never comes has no time", async () => {
    for (const cron of ["0 0 30 2 *", "0 0 31 4,6 *"]) {
      expect(await timesOf(cron, "Europe/Berlin", "2026-11-01T00:00Z", 1)).toEqual(["never"]);
    }
  });

  it.each<[string, string, RegExp]>([
    ["0 * * * * *", "UTC", /has 6 fields and must have 5\. There is no field for seconds/],
    ["* * *", "UTC", /has 3 fields and must have 5\. It is minute, hour/],
    ["", "UTC", /cron is "".*1 field and must have 5/],
    ["@daily", "UTC", /names such as @daily are not known/],
    ["60 * * * *", "UTC", /cron is "60 \* \* \* \*": Invalid value for minute: 60\. It is minute/],
    ["* * * * 8", "UTC", /dayOfWeek: 8/],
    ["* * L * *", "UTC", /day of month is "L"/],
    ["* * * * 1#2", "UTC", /day of week is "1#2".*names such as MON/],
    ["MON * * * *", "UTC", /minute is "MON"/],
    ["*/0 * * * *", "UTC", /illegal stepping/],
    ["5-1 * * * *", "UTC", /larger/],
    ["* * * * *", "Mars/Base", /timezone is "Mars\/Base".*"Europe\/Berlin"/],
    ["* * * * *", "+01:00", /timezone is "\+01:00"/],
  ])("%s in %s is refused, and the fix is named", async (cron, zone, want) => {
    expect(await readCron(cron, zone)).toMatch(want);
  });
});
