/** The longest Sleep: a day, in seconds. */
export const LONGEST_SLEEP = 86_400;
/** The latest wake-up: 366 days, in seconds. */
export const LATEST_WAKEUP = 31_622_400;
/** Wake-ups and crons of one session at once. */
export const MOST_TIMERS = 50;
