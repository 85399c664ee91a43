/** The key of `known` that `key` was probably meant to be, if one is close. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const folded = foldKey(key);
  const same = known.find((name) => foldKey(name) === folded);
  if (same !== undefined) return same;
  const longer = known.find((name) => folded.length > 3 && foldKey(name).startsWith(folded));
  if (longer !== undefined) return longer;
  const limit = Math.max(1, Math.floor(folded.length / 4));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const name of known) {
    const distance = editDistance(folded, foldKey(name), bestDistance);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** One spelling for `updated_input`, `UpdatedInput` and `updatedInput`. */
export function foldKey(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, "");
}

function editDistance(a: string, b: string, limit: number): number {
  if (a.length > 64 || Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? limit;
}
