/** A way to a file that a text names as `@path`. */
const IMPORT = /(?<=^|\s)@((?:\.{1,2}\/|~\/|\/)?[\p{L}\p{N}_.](?:[^\s`\\]|\\ )*)/gu;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** The paths that a text of instructions brings in, in order; what stands in code is left alone. */
export function importsOf(text: string): string[] {
  const found: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    if (fence !== undefined) continue;
    for (const [, path = ""] of line.replace(/`[^`]*`/g, "`").matchAll(IMPORT)) {
      found.push(path.replaceAll("\\ ", " ").replace(/[.,;:!?)\]]+$/, ""));
    }
  }
  return found.filter((path) => path !== "");
}
