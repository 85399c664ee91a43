const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const DAY_MS = 86_400_000;

/**
 * The last epoch millisecond at which a rule counts. A day counts to its end, UTC. Undefined for what is no time: a
 * time without a zone would mean another moment on another machine.
 */
export function readExpiry(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value > 0 ? value : undefined;
  if (typeof value !== "string") return undefined;
  if (DAY.test(value)) {
    const start = Date.parse(value);
    // 2027-02-30 is taken for a day in March by some.
    const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(value);
    return isDay ? start + DAY_MS - 1 : undefined;
  }
  const moment = TIME.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
