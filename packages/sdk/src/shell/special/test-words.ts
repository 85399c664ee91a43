import { type Decoded, known } from "../words/decoded.ts";
import { type Judgement, judgementOf, type TouchedPath } from "./judgement.ts";

export const FILE_TESTS: ReadonlySet<string> = new Set(
  "-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -G -L -N -O -S".split(" "),
);
const TEXT_TESTS: ReadonlySet<string> = new Set(["-n", "-z", "-t", "-o"]);
export const NAME_TESTS: ReadonlySet<string> = new Set(["-v", "-R"]);
const BINARY: ReadonlySet<string> = new Set("= == != < > -eq -ne -lt -le -gt -ge".split(" "));
const FILE_BINARY: ReadonlySet<string> = new Set(["-nt", "-ot", "-ef"]);

/** `test` and `[`: operators must be literal where they stand, so that no word can turn into `-v`. */
export function judgeTest(words: readonly Decoded[], bracket: boolean): Judgement {
  const paths: TouchedPath[] = [];
  let rest = [...words];
  let evaluates = hasNameTest(words);
  let sure = true;
  if (bracket) {
    if (known(rest[rest.length - 1]) !== "]") sure = false;
    rest = rest.slice(0, -1);
  }
  let at = 0;
  const one = (): Decoded | undefined => {
    const word = rest[at];
    at += 1;
    if (word === undefined || word.glob || !word.single) sure = false;
    return word;
  };
  while (at < rest.length && sure) {
    while (known(rest[at]) === "!") at += 1;
    const first = known(rest[at]);
    const second = known(rest[at + 1]);
    if (at + 1 < rest.length && second !== undefined && (BINARY.has(second) || FILE_BINARY.has(second))) {
      const left = one();
      at += 1;
      const right = one();
      if (FILE_BINARY.has(second))
        for (const word of [left, right]) if (word !== undefined) paths.push({ access: "list", word });
    } else if (
      first !== undefined &&
      at + 1 < rest.length &&
      (FILE_TESTS.has(first) || TEXT_TESTS.has(first) || NAME_TESTS.has(first))
    ) {
      at += 1;
      const word = one();
      if (word !== undefined && FILE_TESTS.has(first)) paths.push({ access: "list", word });
      if (NAME_TESTS.has(first) && !/^[A-Za-z_]\w*$/.test(known(word) ?? "")) evaluates = true;
    } else one();
    if (at >= rest.length) break;
    const joint = known(rest[at]);
    if (joint !== "-a" && joint !== "-o") sure = false;
    at += 1;
  }
  const literalPaths = paths.every((path) => path.word.value !== undefined);
  return judgementOf({ readOnly: sure && !evaluates && literalPaths, paths, evaluates });
}

/** Any place where `-v` may stand before something that is no plain name. */
function hasNameTest(words: readonly Decoded[]): boolean {
  return words.some((word, index) => {
    const next = words[index + 1];
    return NAME_TESTS.has(known(word) ?? "") && next !== undefined && /[[$`]/.test(next.value ?? "[");
  });
}
