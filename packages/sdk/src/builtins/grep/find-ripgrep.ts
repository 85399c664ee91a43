import type { FileSystem } from "../../platform/index.ts";

const EXECUTABLE = 1;

/** The ripgrep program to run, or undefined when there is none. `given` is `BuiltinDeps.ripgrep`. */
export async function findRipgrep(
  fs: FileSystem,
  given: string | false | undefined,
): Promise<string | undefined> {
  if (given === false) return undefined;
  const path = given ?? (await packaged());
  if (path === undefined) return undefined;
  return fs.access(path, EXECUTABLE).then(
    () => path,
    () => undefined,
  );
}

/** The package throws at import where it has no program for this machine. */
async function packaged(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}
