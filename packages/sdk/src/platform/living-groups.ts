import { type ProcessGroup, signalGroup } from "./process-group.ts";

/** Groups that may have living members. */
const living = new Set<ProcessGroup>();
/** Signals that end Node without an `exit` event unless somebody listens. */
const DEADLY: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

let onExit = false;
let onSignals = false;

/** Has the group killed when this process ends, however it ends but by SIGKILL. */
export function keepGroup(group: ProcessGroup): void {
  if (!onExit) process.on("exit", killAll);
  onExit = true;
  living.add(group);
  listen();
}

/** Called when the leader has exited. A group that still has members stays on the list. */
export function settleGroup(group: ProcessGroup): void {
  group.leaderGone = true;
  for (const each of living) {
    if (each.leaderGone && !signalGroup(each, 0)) living.delete(each);
  }
  if (living.size === 0) unlisten();
}

/** Called when nothing of a group was there to get a signal: its last members have ended behind their leader. */
export function dropGroup(group: ProcessGroup): void {
  if (group.leaderGone && living.delete(group) && living.size === 0) unlisten();
}

function killAll(): void {
  for (const group of living) signalGroup(group, "SIGKILL");
  living.clear();
}

function listen(): void {
  if (onSignals) return;
  onSignals = true;
  for (const signal of DEADLY) process.on(signal, passOn);
}

function unlisten(): void {
  onSignals = false;
  for (const signal of DEADLY) process.removeListener(signal, passOn);
}

/** Our listener must not keep alive a process that the signal would have ended. */
function passOn(signal: NodeJS.Signals): void {
  const others = process.listeners(signal).some((listener) => listener !== passOn);
  if (others) return;
  killAll();
  unlisten();
  process.kill(process.pid, signal);
}
