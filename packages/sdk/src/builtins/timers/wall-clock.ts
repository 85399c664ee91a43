/** A zone's clock on the wall. A wall time is written as the moment at which it would be UTC, in milliseconds. */
export interface WallClock {
  wallOf(moment: number): number;
  /** Of a wall time that comes twice the first one; of one that is left out the moment at which the clock goes on. */
  momentOf(wall: number): number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Undefined for what is no IANA zone. */
export function wallClock(zone: string): WallClock | undefined {
  const format = formatOf(zone);
  if (format === undefined) return undefined;

  function wallOf(moment: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of format?.formatToParts(moment) ?? []) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((moment % 1000) + 1000) % 1000);
  }

  const offsetAt = (moment: number): number => wallOf(moment) - moment;

  return {
    wallOf,
    momentOf(wall) {
      // The offsets of the day before and of the day after: one of them holds, or the change lies between them.
      const early = wall - offsetAt(wall - DAY_MS);
      const late = wall - offsetAt(wall + DAY_MS);
      const fits = [early, late].filter((moment) => wallOf(moment) === wall);
      if (fits.length > 0) return Math.min(...fits);
      let before = Math.min(early, late);
      let after = Math.max(early, late);
      while (after - before >= 2 * MINUTE_MS) {
        const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
        if (wallOf(middle) < wall) before = middle;
        else after = middle;
      }
      return after;
    },
  };
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  // "+01:00" is taken too, but is no zone with a clock that people change.
  if (!/^[A-Za-z]/.test(zone)) return undefined;
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    });
  } catch {
    return undefined;
  }
}
