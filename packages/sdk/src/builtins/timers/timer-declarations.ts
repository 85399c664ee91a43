import { type Declaration, inputOf, textOf } from "../declaration.ts";
import { LATEST_WAKEUP, LONGEST_SLEEP } from "./timer-limits.ts";

const secondsOf = (maximum: number) =>
  ({ type: "number", minimum: 1, maximum, description: "Seconds from now." }) as const;
const PROMPT = textOf("What the session is told then.", 100_000);

// A timer starts turns, and costs, when nobody may be there: setting one is asked about.
const SETS = {
  source: "builtin",
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  riskLevel: "medium",
} as const;

/** Sleep: the session rests for a while. */
export const SLEEP: Declaration = {
  ...SETS,
  name: "Sleep",
  title: "Wait",
  searchHint: "sleep wait pause seconds",
  description: "Waits, without a process that runs.",
  inputSchema: inputOf({ seconds: secondsOf(LONGEST_SLEEP) }, ["seconds"]),
  summary: (input) => `${input.seconds} s`,
};

/** ScheduleWakeup: a turn of the session later on. */
export const SCHEDULE_WAKEUP: Declaration = {
  ...SETS,
  name: "ScheduleWakeup",
  title: "Wake up later",
  searchHint: "wake later schedule once timer",
  description: "Wakes the session once, later.",
  inputSchema: inputOf({ seconds: secondsOf(LATEST_WAKEUP), prompt: PROMPT }, ["seconds", "prompt"]),
  summary: (input) => `${input.seconds} s`,
};

/** CronCreate: turns of the session again and again. */
export const CRON_CREATE: Declaration = {
  ...SETS,
  name: "CronCreate",
  title: "Set a repeated wake-up",
  searchHint: "cron schedule repeat timer create",
  description: "Wakes the session again and again.",
  inputSchema: inputOf(
    {
      cron: textOf("Minute, hour, day, month and weekday.", 200),
      prompt: PROMPT,
      timezone: textOf("An IANA zone. Default: the zone of the machine.", 100),
    },
    ["cron", "prompt"],
  ),
  summary: (input) => String(input.cron),
};

/** CronDelete: takes a repeated wake-up away. */
export const CRON_DELETE: Declaration = {
  ...SETS,
  name: "CronDelete",
  title: "Delete a repeated wake-up",
  searchHint: "cron delete remove schedule",
  description: "Deletes a repeated wake-up.",
  inputSchema: inputOf({ id: textOf("The wake-up.", 200) }, ["id"]),
  annotations: { ...SETS.annotations, destructiveHint: true },
  summary: (input) => String(input.id),
};

/** CronList: the timers of the session, and nothing else. */
export const CRON_LIST: Declaration = {
  ...SETS,
  name: "CronList",
  title: "List the wake-ups",
  searchHint: "cron list schedules timers",
  description: "Lists the wake-ups of the session.",
  inputSchema: inputOf({}),
  annotations: { ...SETS.annotations, readOnlyHint: true },
  riskLevel: "low",
  summary: () => "all wake-ups",
};
