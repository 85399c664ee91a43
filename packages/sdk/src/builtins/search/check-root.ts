import type { Stats } from "node:fs";
import type { Platform } from "../../platform/index.ts";
import { describeFileError } from "../files/describe-file-error.ts";
import type { JudgedPath } from "../files/judged-path.ts";

export type Root =
  | { readonly kind: "directory" | "file" }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly text: string };

/** What stands at a judged path, and whether it is still the thing that was judged. */
export async function checkRoot(platform: Platform, path: JudgedPath): Promise<Root> {
  let stats: Stats;
  try {
    stats = await platform.fs.lstat(path.real);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "missing" };
    return { kind: "refused", text: describeFileError(error, path.given) };
  }
  const { identity } = path;
  if (identity !== undefined && (identity.dev !== stats.dev || identity.ino !== stats.ino)) {
    return {
      kind: "refused",
      text: `${path.given} became another file or directory after it was judged. Repeat the call.`,
    };
  }
  if (stats.isDirectory()) return { kind: "directory" };
  if (stats.isFile()) return { kind: "file" };
  return { kind: "refused", text: `${path.given} is neither a directory nor a regular file.` };
}
