import { type WallClock, wallClock } from "./wall-clock.ts";

/** What a cron is due at: made once for its fields and zone, and asked again and again. */
export interface CronTimes {
  /** The first time behind `after`, both epoch milliseconds; undefined where none ever comes. */
  next(after: number): number | undefined;
}

const FIELDS = ["minute", "hour", "day of month", "month", "day of week"] as const;
/** What may stand in a field; only the last two have names. */
const PLAIN = /^[\d*,/-]+$/;
const NAMED =
  /^(?:[\d*,/-]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)\b)+$/i;

/**
 * Reads five fields of a cron. Where the hour is `*` real minutes are counted, so that it goes on through an hour that
 * the clock repeats; else a time of day is named, and comes once a day: what the clock leaves out comes when it goes on,
 * what it repeats comes the first time.
 *
 * @returns a text that says what is wrong, and how it is put right
 */
export async function readCron(cron: string, zone: string): Promise<CronTimes | string> {
  const clock = wallClock(zone);
  if (clock === undefined) {
    return `timezone is ${JSON.stringify(zone)}, which is no zone of the IANA list. Give one such as "Europe/Berlin", "America/New_York" or "UTC".`;
  }
  const fields = cron.trim().split(/\s+/);
  const problem = fieldProblem(fields);
  if (problem !== undefined) return problem;
  // Loaded with the first cron: few sessions have one.
  const { Cron } = await import("croner");
  const isEveryHour = fields[1] === "*";
  let times: InstanceType<typeof Cron>;
  try {
    const options = { mode: "5-part", paused: true, timezone: isEveryHour ? zone : "UTC" } as const;
    times = new Cron(fields.join(" "), options);
  } catch (error) {
    const why = (error as Error).message.replace(/^CronPattern: /, "");
    return `cron is ${JSON.stringify(cron)}: ${why.replace(/\.$/, "")}. ${FORM}`;
  }
  const after = (at: number): number | undefined => times.nextRun(new Date(at))?.getTime();
  const next = isEveryHour ? after : (at: number) => nextOfDay(after, clock, at);
  return { next };
}

/** Times of day are looked for on the wall's clock, and each is then a moment. */
function nextOfDay(
  after: (at: number) => number | undefined,
  clock: WallClock,
  from: number,
): number | undefined {
  let wall = after(clock.wallOf(from));
  while (wall !== undefined) {
    const at = clock.momentOf(wall);
    if (at > from) return at;
    wall = after(wall);
  }
  return undefined;
}

const FORM =
  "It is minute, hour, day of month, month and day of week, such as 30 9 * * 1-5 for 9:30 on weekdays.";

function fieldProblem(fields: readonly string[]): string | undefined {
  const shown = JSON.stringify(fields.join(" "));
  if (fields[0]?.startsWith("@") === true)
    return `cron is ${shown}: names such as @daily are not known. ${FORM}`;
  if (fields.length !== FIELDS.length) {
    const seconds = fields.length === 6 ? " There is no field for seconds: leave the first one out." : "";
    return `cron is ${shown}, which has ${fields.length} ${fields.length === 1 ? "field" : "fields"} and must have 5.${seconds} ${FORM}`;
  }
  const wrong = fields.findIndex((field, i) => !(i < 3 ? PLAIN : NAMED).test(field));
  if (wrong === -1) return undefined;
  return `cron is ${shown}: the ${FIELDS[wrong]} is ${JSON.stringify(fields[wrong])}, and may hold numbers, * , - and /${wrong < 3 ? "" : ", and names such as MON or JAN"} only. ${FORM}`;
}
