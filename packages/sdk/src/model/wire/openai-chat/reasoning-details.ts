import type { JsonValue } from "../../../protocol/index.ts";

type Detail = { [key: string]: JsonValue };

/** Joins the pieces of streamed `reasoning_details`: texts of one kind and index become one. */
export function joinDetails(pieces: readonly JsonValue[]): JsonValue[] {
  const joined: Detail[] = [];
  for (const piece of pieces) {
    if (typeof piece !== "object" || piece === null || Array.isArray(piece)) continue;
    const last = joined.at(-1);
    if (last === undefined || !belongs(last, piece)) {
      joined.push({ ...piece });
      continue;
    }
    for (const [key, value] of Object.entries(piece)) {
      const before = last[key];
      const grows = (key === "text" || key === "summary") && typeof before === "string";
      if (grows && typeof value === "string") last[key] = before + value;
      else if (value !== null) last[key] = value;
    }
  }
  return joined;
}

/** Encrypted ones come whole. */
function belongs(last: Detail, piece: Detail): boolean {
  return last.type === piece.type && last.index === piece.index && piece.type !== "reasoning.encrypted";
}
