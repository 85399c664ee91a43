import type { FileHandle } from "node:fs/promises";

/** Open log files, the least recently used closed first. */
export interface Handles {
  /** Runs `job` with the file open; `open` is called when it is not. One job a path at a time. */
  use<T>(path: string, open: () => Promise<FileHandle>, job: (handle: FileHandle) => Promise<T>): Promise<T>;
  /** Closes the file, if it is open. */
  drop(path: string): Promise<void>;
}

/** @param limit how many files are open at once, at most. A job waits while all are busy. */
export function createHandles(limit: number): Handles {
  // The order is the order of use: the first is the oldest.
  const idle = new Map<string, FileHandle>();
  const queue: (() => void)[] = [];
  let busy = 0;

  async function use<T>(
    path: string,
    open: () => Promise<FileHandle>,
    job: (handle: FileHandle) => Promise<T>,
  ): Promise<T> {
    if (busy >= limit) await new Promise<void>((resolve) => queue.push(resolve));
    else busy += 1;
    try {
      const handle = await take(path, open);
      try {
        return await job(handle);
      } finally {
        idle.set(path, handle);
      }
    } finally {
      const next = queue.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  }

  async function take(path: string, open: () => Promise<FileHandle>): Promise<FileHandle> {
    const waiting = idle.get(path);
    if (waiting !== undefined) {
      idle.delete(path);
      return waiting;
    }
    const oldest = idle.size + busy > limit ? idle.keys().next().value : undefined;
    if (oldest !== undefined) await drop(oldest);
    return open();
  }

  async function drop(path: string): Promise<void> {
    const handle = idle.get(path);
    idle.delete(path);
    await handle?.close();
  }

  return { use, drop };
}
