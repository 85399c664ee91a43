/** Characters that some file systems drop from a name before they compare it. */
const DROPPED = /[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
/** Windows opens the same file with or without these at the end of a name. */
const TRAILING = /[. ]+$/;
/** The stream behind a name on NTFS: `.git::$INDEX_ALLOCATION` is `.git`. */
const STREAM = /:.*$/s;

/**
 * One spelling for all names that any common file system may take for the same file.
 * It takes too many for equal rather than too few: use it for safety checks, never to allow.
 */
export function foldName(name: string): string {
  const folded = foldCase(name.replace(DROPPED, ""));
  const short = folded.replace(STREAM, "").replace(TRAILING, "");
  return short === "" ? folded : short;
}

/** Letter case and Unicode form taken away, nothing else. Upper case first: it also unites `ſ` and `s`. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}
