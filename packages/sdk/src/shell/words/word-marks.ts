/** Holds a character that means something to a shell, or may. */
export const UNPLAIN = 1;
/** May hold an expansion, a substitution or a list. */
export const MAY_HOLD_PARTS = 2;
/** May set a name: `=`, `[`, `$'`. */
export const MAY_SET = 4;
/** Its value may not be what its text is without quotes. */
export const MAY_CHANGE = 8;

const PLAIN = /[A-Za-z0-9_./:=@%+,-]/;

const MARKS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const c = String.fromCharCode(code);
  return (
    (PLAIN.test(c) ? 0 : UNPLAIN) |
    ("$`(<>{".includes(c) ? MAY_HOLD_PARTS : 0) |
    ("=[$".includes(c) ? MAY_SET : 0) |
    ("$`{*?[(<>".includes(c) ? MAY_CHANGE : 0)
  );
});

/** What the characters of a word may mean, in one pass: to test a short text by a regex takes longer than this. */
export function marksOf(text: string): number {
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) marks |= MARKS[text.charCodeAt(at)] ?? UNPLAIN;
  return marks;
}
