import type { FileSystem } from "../../../platform/index.ts";

/** Open log files, the least recently used closed first. */
export interface Handles {
  /** The descriptor of a file; `open` is called when it is not open. It holds until the next call of `use` or `drop`. */
  use(path: string, open: () => number): number;
  /** As `use`, and the descriptor holds until `done` was called as well. */
  keep(path: string, open: () => number): { readonly descriptor: number; done(): void };
  /** Closes the file, if it is open and nobody keeps it. */
  drop(path: string): void;
}

interface Held {
  readonly descriptor: number;
  keepers: number;
}

/** @param limit how many files are open at once, at most; those that are kept count, and may be more. */
export function createHandles({ closeSync }: Pick<FileSystem, "closeSync">, limit: number): Handles {
  // The order is the order of use: the first is the oldest.
  const held = new Map<string, Held>();

  function drop(path: string): void {
    const file = held.get(path);
    if (file === undefined || file.keepers > 0) return;
    held.delete(path);
    try {
      closeSync(file.descriptor);
    } catch {
      // All was written when it was acknowledged: a failing close loses nothing.
    }
  }

  function makeRoom(): void {
    if (held.size < limit) return;
    for (const [path, { keepers }] of held) {
      if (keepers > 0) continue;
      drop(path);
      return;
    }
  }

  function take(path: string, open: () => number): Held {
    let file = held.get(path);
    if (file === undefined) {
      makeRoom();
      file = { descriptor: open(), keepers: 0 };
    } else held.delete(path);
    held.set(path, file);
    return file;
  }

  return {
    use: (path, open) => take(path, open).descriptor,
    keep(path, open) {
      const file = take(path, open);
      file.keepers += 1;
      return {
        descriptor: file.descriptor,
        done() {
          file.keepers -= 1;
        },
      };
    },
    drop,
  };
}
