import type { FileSystem } from "./port.ts";

/** Links are followed. False also for what cannot be looked at. */
export function isDirectory(fs: Pick<FileSystem, "statSync">, path: string): boolean {
  try {
    return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
