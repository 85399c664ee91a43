import { childProcess } from "./child-process.ts";

export type GroupSignal = "SIGTERM" | "SIGKILL";

/** A child that leads a process group of its own. */
export interface ProcessGroup {
  readonly pid: number;
  /** The leader has exited; only its descendants may still be there. */
  leaderGone: boolean;
}

/**
 * Sends a signal to every process of the group. Says whether anything was there to get it.
 *
 * While a group has members its number is not given to a new process. So once the leader is gone,
 * a living process of that number proves that the group has ended and a stranger got the number.
 */
export function signalGroup(group: ProcessGroup, signal: GroupSignal | 0): boolean {
  if (process.platform === "win32") return signalTree(group, signal);
  if (group.leaderGone && exists(group.pid)) return false;
  return exists(-group.pid, signal);
}

function exists(target: number, signal: GroupSignal | 0 = 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to somebody else. ESRCH: it is not there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Unproven: Windows has no process groups, its own tool ends a tree of processes. */
function signalTree(group: ProcessGroup, signal: GroupSignal | 0): boolean {
  if (group.leaderGone) return false;
  if (signal === 0) return exists(group.pid);
  const killer = childProcess().spawn("taskkill", ["/pid", String(group.pid), "/t", "/f"], {
    stdio: "ignore",
    windowsHide: true,
  });
  killer.on("error", () => exists(group.pid, signal));
  return true;
}
