import { createHost } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { fakeClock, scriptedModel } from "@castellan/sdk/testing";
import { expect, it } from "vitest";
import { MONDAY } from "../kit/timed.ts";

const NAMES = [
  ...[
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
  ],
  ...[
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "Read",
    "Recall",
    "ScheduleWakeup",
    "Sleep",
    "TodoWrite",
  ],
  "Write",
];

it("c19 in part: the built-in tools of this release are there when they are named, timers run", async () => {
  const clock = fakeClock(MONDAY);
  const store = memoryStore({ clock });
  const host = createHost({ store, platform: { clock } });
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "ScheduleWakeup", input: { seconds: 60, prompt: "Look at the oven." } },
        {
          name: "CronCreate",
          input: { cron: "30 9 * * 1-5", prompt: "Stand up.", timezone: "Europe/Berlin" },
        },
        { name: "CronList", input: {} },
      ],
    },
    "Both are set.",
  ]);
  const results: string[] = [];
  let tools: readonly string[] = [];
  const options = { model, tools: NAMES, allowedTools: ["ScheduleWakeup", "CronCreate", "CronList"] };
  for await (const message of host.query({ prompt: "go", options })) {
    if (message.type === "system" && message.subtype === "init") tools = message.tools;
    if (message.type === "user") results.push(JSON.stringify(message.message.content));
  }
  await host.close();
  expect([...tools].sort()).toEqual([...NAMES].sort());
  const listed = results.at(-1) ?? "";
  expect(listed).toContain("Look at the oven.");
  expect(listed).toContain("30 9 * * 1-5");
  const pending = await store.wakes.due(Number.MAX_SAFE_INTEGER, 10);
  // In Berlin it is ten o'clock on a Monday.
  expect(pending.map(({ at }) => at)).toEqual([MONDAY + 60_000, Date.parse("2026-12-01T08:30:00Z")]);
});
