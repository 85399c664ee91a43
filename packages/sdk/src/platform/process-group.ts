import { childProcess } from "./child-process.ts";
import { findStrays, type Strays, signalStrays } from "./strays.ts";

export type GroupSignal = "SIGTERM" | "SIGKILL";

/** A child that leads a process group of its own. */
export interface ProcessGroup {
  readonly pid: number;
  /** The leader has exited; only its descendants may still be there. */
  leaderGone: boolean;
  /** Descendants outside the group, found when it was first signalled. */
  strays?: Strays;
}

/**
 * Sends a signal to every process of the group, and to those outside it that its leader has started. Says whether
 * anything of the group was there to get it.
 *
 * While a group has members its number is not given to a new process. So once the leader is gone,
 * a living process of that number proves that the group has ended and a stranger got the number.
 */
export function signalGroup(group: ProcessGroup, signal: GroupSignal | 0): boolean {
  if (process.platform === "win32") return signalTree(group, signal);
  if (signal !== 0) signalOutside(group, signal);
  if (group.leaderGone && exists(group.pid)) return false;
  return exists(-group.pid, signal);
}

/** Once the leader is gone its descendants can no longer be found: those of the first signal are remembered. */
function signalOutside(group: ProcessGroup, signal: GroupSignal): void {
  if (!group.leaderGone) {
    group.strays ??= new Map();
    findStrays(group.pid, group.strays);
  }
  if (group.strays !== undefined) signalStrays(group.strays, signal);
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
