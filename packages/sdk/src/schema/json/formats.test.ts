import { describe, expect, it } from "vitest";
import { FORMATS } from "./formats.ts";

const CASES: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
  "date-time": [
    [
      "2024-02-29T12:00:00Z",
      "2024-01-01t00:00:00.123+05:30",
      "1990-12-31T23:59:60Z",
      "1990-12-31T15:59:60-08:00",
    ],
    [
      "2023-02-29T12:00:00Z",
      "2024-01-01",
      "2024-01-01T00:00:00",
      "2024-01-01T24:00:00Z",
      "1990-12-31T22:59:60Z",
      "2024-01-01  00:00:00Z",
    ],
  ],
  date: [
    ["2000-02-29", "0001-01-01"],
    ["1900-02-29", "2024-13-01", "2024-04-31", "2024-1-1", "2024-00-10", "x2024-01-01"],
  ],
  time: [
    ["00:00:00Z", "23:59:59.9+00:00"],
    ["12:00", "12:00:00", "25:00:00Z", "12:60:00Z", "12:00:00+24:00"],
  ],
  email: [
    ["a@b.c", "first.last+tag@example.com", '"odd name"@x.org', "a@[127.0.0.1]", "a@[IPv6:::1]"],
    ["", "a", "@b", "a@", "a b@c", ".a@b", "a..b@c", "a@-b", "a@b_c", `${"x".repeat(65)}@a.b`],
  ],
  uri: [
    ["https://a.b/c?d=e#f", "mailto:a@b.c", "urn:x:y", "file:///tmp/x", "http://[::1]:80/"],
    ["", "a/b", "//a", "http://", "https:///x", "http://a b", "x:%zz", "http://é.test", "1x:y"],
  ],
  uuid: [
    ["123e4567-e89b-12d3-a456-426614174000"],
    ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g"],
  ],
  ipv4: [
    ["0.0.0.0", "255.1.2.3"],
    ["1.2.3", "256.1.1.1", "01.2.3.4", "1.2.3.4.5", "1.2.3.x"],
  ],
  ipv6: [
    ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4"],
    ["1:2:3", "1::2::3", ":::", "1:2:3:4:5:6:7:8:9", "12345::", "::1.2.3", "1.2.3.4::", "1:2:3:4:5:6:7::8:9"],
  ],
  hostname: [
    ["localhost", "a-b.example.com", "1.x"],
    ["", "-a", "a-", "a..b", "a_b", "x".repeat(64)],
  ],
};

describe("formats", () => {
  it("are checked for these and no others", () => {
    expect([...FORMATS.keys()].sort()).toEqual(Object.keys(CASES).sort());
  });

  it.each(Object.entries(CASES))("%s", (format, [good, bad]) => {
    const test = FORMATS.get(format);
    expect(good.filter((text) => test?.(text) !== true)).toEqual([]);
    expect(bad.filter((text) => test?.(text) !== false)).toEqual([]);
  });
});
