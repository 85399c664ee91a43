import { type BuiltinContext, CastellanError, type PathResolution } from "../../protocol/index.ts";

/** A path that was judged and has a place on the disk. */
export type JudgedPath = PathResolution & { readonly real: string };

export type Judged =
  | { readonly ok: true; readonly path: JudgedPath }
  | { readonly ok: false; readonly text: string };

/** The first path target of a call, as it was judged. File tools open this and never the raw input. */
export function judgedPath(context: BuiltinContext): Judged {
  const target = context.targets.find((each) => each.kind === "path");
  const resolution = target?.kind === "path" ? target.resolutions[0] : undefined;
  if (resolution === undefined) {
    throw new CastellanError("internal", "A file tool was called without a judged path.", {
      fix: "Give the resolved targets of the call in context.targets.",
    });
  }
  const { real } = resolution;
  if (real !== undefined) return { ok: true, path: { ...resolution, real } };
  return {
    ok: false,
    text: `${resolution.given} cannot be resolved: a link on the way leads in a circle or to nowhere.`,
  };
}
