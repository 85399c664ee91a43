/** `at`, or one less where it would fall between the two halves of a character. In UTF-16 units. */
export function cutPoint(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}

/** At most `limit` UTF-16 units of `text`, never half a character. */
export function cutAt(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, cutPoint(text, limit));
}
