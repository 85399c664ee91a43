// The tools that set timers: they load together, when a session shows one of them.
export { sleepTool } from "./sleep-tool.ts";
export { cronCreateTool, cronDeleteTool, cronListTool, scheduleWakeupTool } from "./wake-up-tools.ts";
