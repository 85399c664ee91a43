import { resolve } from "node:path";

/** A path as people write it in options and settings: `~` is the home, a relative one begins at `start`. */
export function absolutePath(path: string, start: string, home: string): string {
  return resolve(
    start,
    path.replace(/^~(?=[\\/]|$)/, () => home),
  );
}
