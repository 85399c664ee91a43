import { machineZone } from "../../platform/index.ts";
import type {
  BuiltinContext,
  JsonObject,
  SessionTimers,
  TimerWish,
  ToolDefinition,
  ToolResult,
  ValidationResult,
} from "../../protocol/index.ts";
import { buildTool, cutAt } from "../../tools/index.ts";
import type { Declaration } from "../declaration.ts";
import { type BuiltinDeps, need } from "../deps.ts";
import { failure, textResult } from "../results.ts";
import { readCron } from "./cron.ts";
import {
  CRON_CREATE_PROMPT,
  CRON_DELETE_PROMPT,
  CRON_LIST_PROMPT,
  SCHEDULE_WAKEUP_PROMPT,
} from "./prompts.ts";
import { CRON_CREATE, CRON_DELETE, CRON_LIST, SCHEDULE_WAKEUP } from "./timer-declarations.ts";
import { whenText } from "./timer-words.ts";

/** ScheduleWakeup: a message of a timer, once. */
export function scheduleWakeupTool(): ToolDefinition {
  return setting(SCHEDULE_WAKEUP, SCHEDULE_WAKEUP_PROMPT, "Setting a wake-up", (input) =>
    Math.round(Number(input.seconds) * 1000),
  );
}

/** CronCreate: messages of a timer, again and again. */
export function cronCreateTool({ platform }: BuiltinDeps): ToolDefinition {
  const tool = setting(CRON_CREATE, CRON_CREATE_PROMPT, "Setting a cron", (input) => ({
    cron: String(input.cron).trim().split(/\s+/).join(" "),
    zone: zoneOf(input),
  }));
  return { ...tool, validateInput: (input) => checkCron(input, platform.clock.now()) };
}

/** CronDelete: of either kind. */
export function cronDeleteTool(): ToolDefinition {
  return buildTool({
    ...CRON_DELETE,
    prompt: () => CRON_DELETE_PROMPT,
    // What is deleted already is no fault of a call that runs again.
    idempotent: false,
    userFacingName: () => "CronDelete",
    activity: () => "Deleting a wake-up",
    async call(input: JsonObject, context: BuiltinContext): Promise<ToolResult> {
      const timers = need(context.services, "timers");
      const id = String(input.id).trim();
      const gone = await timers.clear(id);
      if (gone !== undefined) return textResult(`Deleted ${id}, which would have come ${whenText(gone)}.`);
      return failure(`There is no wake-up ${JSON.stringify(cutAt(id, 100))}. ${known(timers)}`);
    },
  });
}

/** CronList: of both kinds. */
export function cronListTool(): ToolDefinition {
  return buildTool({
    ...CRON_LIST,
    prompt: () => CRON_LIST_PROMPT,
    isConcurrencySafe: () => true,
    interruptBehavior: () => "cancel",
    userFacingName: () => "CronList",
    activity: () => "Listing the wake-ups",
    call(_input: JsonObject, context: BuiltinContext): ToolResult {
      const set = told(need(context.services, "timers"));
      if (set.length === 0) return textResult("No wake-up is set.");
      const lines = set.map((timer) => {
        const prompt = (timer.prompt ?? "").replace(/\s+/g, " ");
        return `${timer.id} ${whenText(timer)}: ${cutAt(prompt, 200)}`;
      });
      return textResult(lines.join("\n"));
    },
  });
}

function setting(
  declaration: Declaration,
  prompt: string,
  activity: string,
  whenOf: (input: JsonObject) => TimerWish["when"],
): ToolDefinition {
  return buildTool({
    ...declaration,
    prompt: () => prompt,
    // The same call again finds what it has set.
    idempotent: true,
    userFacingName: () => declaration.name,
    activity: () => activity,
    async call(input: JsonObject, { toolUseId, services }: BuiltinContext): Promise<ToolResult> {
      const wish = { callId: toolUseId, prompt: String(input.prompt), when: whenOf(input) };
      const timer = await need(services, "timers").set(wish);
      if (typeof timer === "string") return failure(timer);
      return textResult(`Set ${timer.id}: it comes ${whenText(timer)}. CronDelete takes it away.`);
    },
  });
}

async function checkCron(input: JsonObject, now: number): Promise<ValidationResult> {
  const times = await readCron(String(input.cron), zoneOf(input));
  if (typeof times === "string") return { ok: false, message: times };
  if (times.next(now) !== undefined) return { ok: true };
  const message = `cron is ${JSON.stringify(input.cron)}, which never comes: no year has such a day. Give a day that its months have.`;
  return { ok: false, message };
}

function zoneOf({ timezone }: JsonObject): string {
  return typeof timezone === "string" ? timezone.trim() : machineZone();
}

/** Those that are to tell something. */
function told(timers: SessionTimers) {
  return timers.list().filter(({ kind }) => kind !== "sleep");
}

function known(timers: SessionTimers): string {
  const ids = told(timers).map(({ id }) => id);
  return ids.length === 0 ? "None is set." : `There are ${ids.join(", ")}.`;
}
