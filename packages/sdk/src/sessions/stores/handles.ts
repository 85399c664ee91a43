import type { FileSystem } from "../../platform/index.ts";

/** Open log files, the least recently used closed first. */
export interface Handles {
  /** The descriptor of a file; `open` is called when it is not open. It holds until the next call of `use` or `drop`. */
  use(path: string, open: () => number): number;
  /** Closes the file, if it is open. */
  drop(path: string): void;
}

/** @param limit how many files are open at once, at most. */
export function createHandles({ closeSync }: Pick<FileSystem, "closeSync">, limit: number): Handles {
  // The order is the order of use: the first is the oldest.
  const held = new Map<string, number>();

  function drop(path: string): void {
    const descriptor = held.get(path);
    if (descriptor === undefined) return;
    held.delete(path);
    try {
      closeSync(descriptor);
    } catch {
      // All was written when it was acknowledged: a failing close loses nothing.
    }
  }

  return {
    use(path, open) {
      let descriptor = held.get(path);
      if (descriptor === undefined) {
        const oldest = held.size < limit ? undefined : held.keys().next().value;
        if (oldest !== undefined) drop(oldest);
        descriptor = open();
      } else held.delete(path);
      held.set(path, descriptor);
      return descriptor;
    },
    drop,
  };
}
