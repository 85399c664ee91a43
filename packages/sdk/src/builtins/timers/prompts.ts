import { LATEST_WAKEUP, LONGEST_SLEEP, MOST_TIMERS } from "./timer-limits.ts";

const shown = (count: number): string => count.toLocaleString("en-US");

/** What the model reads about Sleep. */
export const SLEEP_PROMPT: string = `Rests for some seconds and then goes on with this turn.

- seconds is 1 to ${shown(LONGEST_SLEEP)} (a day). No process runs meanwhile, and the rest outlives a restart of the program.
- It ends early when there is something to hear: a background command has ended, a wake-up is due, or the user interrupts. The result says which, and how long it lasted.
- Use it to wait for what cannot be waited for otherwise. For a background command, BashOutput with block waits for its end.
- To be told something later and end this turn now, use ScheduleWakeup.`;

/** What the model reads about ScheduleWakeup. */
export const SCHEDULE_WAKEUP_PROMPT: string = `Wakes this session once, later: then you get the prompt as a message that is marked as coming from a timer.

- seconds is 1 to ${shown(LATEST_WAKEUP)} (366 days) from now. prompt is what you want to be told: say what to look at and what it is for, since you may have forgotten.
- It comes between two turns, or before your next answer while you are at work. It outlives a restart; what was due while nothing ran comes late, and says so.
- A session holds ${MOST_TIMERS} wake-ups and crons at most. CronList shows them, CronDelete takes one away.`;

/** What the model reads about CronCreate. */
export const CRON_CREATE_PROMPT: string = `Wakes this session again and again: each time you get the prompt as a message that is marked as coming from a timer.

- cron has five fields: minute, hour, day of month, month, day of week. "30 9 * * 1-5" is 9:30 on weekdays, "*/15 * * * *" every quarter of an hour. Once a minute is the most; where both days are given, either counts.
- timezone is an IANA zone such as "Europe/Berlin". Default: the zone of the machine. A time of day comes once a day, also on days on which the clock is changed.
- What was missed while nothing ran comes once, late, and says so.
- Each run costs a turn. Take the longest interval that serves, and delete a cron that is no longer needed with CronDelete.
- A session holds ${MOST_TIMERS} wake-ups and crons at most.`;

/** What the model reads about CronDelete. */
export const CRON_DELETE_PROMPT: string = `Takes a wake-up of this session away for good: one of CronCreate or of ScheduleWakeup.

- id is what CronCreate or ScheduleWakeup gave, and what CronList shows.
- A message of it that has come already stays. There is nothing to delete for a wake-up that has fired: it is gone by itself.
- Nobody is told when a wake-up is deleted, and it cannot be brought back: set it anew if it is wanted again.`;

/** What the model reads about CronList. */
export const CRON_LIST_PROMPT: string = `Lists the wake-ups of this session that have yet to come, those of CronCreate and of ScheduleWakeup: the next one first.

- Each has its id (for CronDelete), when it comes next, the five fields and the zone of a cron, and the beginning of its prompt.
- Use it before you set another one, so that nothing is set twice, and when the user asks what is planned.`;
