import { type Decoded, known, literal } from "../words/decoded.ts";
import { type FindCommand, type Judgement, judgementOf, type TouchedPath } from "./judgement.ts";

const NO_VALUE: ReadonlySet<string> = new Set(
  "-print -print0 -prune -quit -ls -empty -true -false -depth -d -mount -xdev -noleaf -readable -writable -executable -nouser -nogroup -daystart -not -and -or -a -o ! ( ) , -warn -nowarn".split(
    " ",
  ),
);
const ONE_VALUE: ReadonlySet<string> = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -used -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -lname -ilname -fstype -printf -context".split(
    " ",
  ),
);
const FILE_VALUE: ReadonlySet<string> = new Set([
  "-newer",
  "-anewer",
  "-cnewer",
  "-samefile",
  "-newermt",
  "-newerat",
  "-newerct",
]);
const OUTPUT: ReadonlySet<string> = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);
const EXECUTES: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** `find`: its tests by table, its roots as walks, the commands it runs given back. */
export function judgeFind(words: readonly Decoded[]): Judgement {
  let readOnly = true;
  const paths: TouchedPath[] = [];
  const inner: FindCommand[] = [];
  const roots: Decoded[] = [];
  let removes = false;
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    const text = known(word);
    if (text !== undefined && /^(?:-L|-O\d*|--)$/.test(text)) {
      readOnly = false;
      continue;
    }
    if (
      word === undefined ||
      (text !== undefined && /^(?:[-!(),])/.test(text) && text !== "-H" && text !== "-P")
    )
      break;
    if (text === "-H" || text === "-P") continue;
    if (word.value === undefined || (word.glob && !/^[^*?[-]/.test(word.value))) readOnly = false;
    roots.push(word);
  }
  for (; at < words.length; at += 1) {
    const text = known(words[at]);
    const next = words[at + 1];
    if (text === undefined) readOnly = false;
    else if (NO_VALUE.has(text)) continue;
    else if (ONE_VALUE.has(text)) {
      if (next === undefined || (next.value === undefined && !next.single)) readOnly = false;
      if (next?.glob === true) readOnly = false;
      at += 1;
    } else if (FILE_VALUE.has(text)) {
      if (next === undefined || known(next) === undefined) readOnly = false;
      else if (!text.endsWith("t")) paths.push({ access: "list", word: next });
      at += 1;
    } else if (OUTPUT.has(text)) {
      readOnly = false;
      if (next !== undefined) paths.push({ access: "write", word: next });
      at += text === "-fprintf" ? 2 : 1;
    } else if (EXECUTES.has(text)) {
      const end = endOfCommand(words, at + 1);
      if (end === undefined || text !== "-exec") readOnly = false;
      inner.push({ words: words.slice(at + 1, end ?? words.length), action: text });
      at = end ?? words.length;
    } else {
      if (text === "-delete") removes = true;
      if (text === "-files0-from" && next !== undefined) paths.push({ access: "read", word: next });
      readOnly = false;
    }
  }
  if (roots.length === 0) roots.push(literal("."));
  for (const word of roots) {
    paths.push({ access: "walk", word, recursive: true });
    if (removes) paths.push({ access: "remove", word, recursive: true });
  }
  return judgementOf({ readOnly, paths, inner });
}

/** Its `;`, or the `+` after `{}`. */
function endOfCommand(words: readonly Decoded[], from: number): number | undefined {
  for (let at = from; at < words.length; at += 1) {
    const text = known(words[at]);
    if (text === ";") return at;
    if (text === "+" && known(words[at - 1]) === "{}") return at;
  }
  return undefined;
}
