import { posix } from "node:path";
import { memoryFiles, nodePlatform, type Platform } from "../../platform/index.ts";
import { findProjectRoot } from "../../workspace/index.ts";
import type { PolicyCase } from "./types.ts";

/** Where a case happens. */
export interface CasePlace {
  readonly platform: Platform;
  readonly cwd: string;
  readonly home: string;
  readonly projectRoot: string;
}

/** What `~` means where a case does not say. */
const HOME = "/home/user";

/** Nothing is there but what the case names, the home, the start directory, and a repository at the project's root. */
export function caseDisk({ fs = {}, cwd, home = HOME }: PolicyCase): CasePlace {
  const files = new Map(
    Object.entries(fs).map(([path, text]) => [
      posix.resolve(
        cwd,
        path.replace(/^~(?=\/|$)/, () => home),
      ),
      text,
    ]),
  );
  const over = (): Platform => ({
    ...nodePlatform(),
    fs: memoryFiles([cwd, home], Object.fromEntries(files)),
    os: "linux",
    env: {},
    homedir: () => home,
    cwd: () => cwd,
  });
  const projectRoot = findProjectRoot(over(), cwd, home);
  const repository = posix.join(projectRoot, ".git");
  if (!files.has(repository)) files.set(posix.join(repository, "HEAD"), "");
  return { platform: over(), cwd, home, projectRoot };
}
