import pc from "picocolors";

/** Colours of one stream. */
export type Style = ReturnType<typeof pc.createColors>;

/** Colours for a terminal; none elsewhere, or where NO_COLOR is set. FORCE_COLOR overrules both. */
export function styleOf(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0";
  const plain = (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb";
  return pc.createColors(forced || (stream.isTTY === true && !plain));
}
