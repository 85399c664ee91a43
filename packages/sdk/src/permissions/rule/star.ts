/**
 * Text with wildcards: literal pieces in order, any text between two neighbours.
 * One piece is an exact text; `["a", ""]` is "starts with a".
 */
export type StarPieces = readonly string[];

/** Whether `text` is one of the texts that the pieces describe. One pass, no backtracking. */
export function matchesStar(pieces: StarPieces, text: string): boolean {
  const first = pieces[0] ?? "";
  if (pieces.length === 1) return text === first;
  const last = pieces[pieces.length - 1] ?? "";
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (let index = 1; index < pieces.length - 1; index += 1) {
    const piece = pieces[index] ?? "";
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/**
 * Whether some text is described by both.
 *
 * Two lists with a gap each meet whenever their heads agree and their tails agree: the longer head,
 * all middle pieces of both and the longer tail make such a text.
 */
export function starsMeet(a: StarPieces, b: StarPieces): boolean {
  if (a.length === 1) return matchesStar(b, a[0] ?? "");
  if (b.length === 1) return matchesStar(a, b[0] ?? "");
  const headA = a[0] ?? "";
  const headB = b[0] ?? "";
  if (!headA.startsWith(headB) && !headB.startsWith(headA)) return false;
  const tailA = a[a.length - 1] ?? "";
  const tailB = b[b.length - 1] ?? "";
  return tailA.endsWith(tailB) || tailB.endsWith(tailA);
}
