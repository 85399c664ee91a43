import type { Stats } from "node:fs";
import type { Platform } from "../../platform/index.ts";
import type { BuiltinContext } from "../../protocol/index.ts";
import { describeFileError } from "../files/describe-file-error.ts";
import { type JudgedPath, judgedPath } from "../files/judged-path.ts";

export type Root =
  | { readonly kind: "directory" | "file" | "missing"; readonly path: JudgedPath }
  | { readonly kind: "refused"; readonly text: string };

/** What stands at the judged path of a call, and whether it is still the thing that was judged. */
export async function checkRoot(platform: Platform, context: BuiltinContext): Promise<Root> {
  const judged = judgedPath(context);
  if (!judged.ok) return { kind: "refused", text: judged.text };
  const { path } = judged;
  let stats: Stats;
  try {
    stats = await platform.fs.lstat(path.real);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "missing", path };
    return { kind: "refused", text: describeFileError(error, path.given) };
  }
  const { identity } = path;
  if (identity !== undefined && (identity.dev !== stats.dev || identity.ino !== stats.ino)) {
    return {
      kind: "refused",
      text: `${path.given} became another file or directory after it was judged. Repeat the call.`,
    };
  }
  if (stats.isDirectory()) return { kind: "directory", path };
  if (stats.isFile()) return { kind: "file", path };
  return { kind: "refused", text: `${path.given} is neither a directory nor a regular file.` };
}
