/** What stands between an entry and the next one, or the bracket that closes. */
export interface Tail {
  /** Where the comma stands. */
  readonly comma: number | undefined;
  /** Behind the comma and the remarks that stand on the same line. */
  readonly stop: number;
  /** The line ends in a remark, so that nothing can follow on it. */
  readonly lineRemark: boolean;
}

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\r\n]*|,|\r?\n|[^\S\r\n]+/gu;

/** Reads blanks, remarks and a comma. */
export function tailOf(tail: string): Tail {
  let comma: number | undefined;
  let stop = 0;
  let lineRemark = false;
  let sameLine = true;
  for (const { 0: token, index } of tail.matchAll(TOKEN)) {
    if (token.endsWith("\n")) sameLine = false;
    else if (token === ",") {
      comma = index;
      stop = index + 1;
      lineRemark = false;
      sameLine = true;
    } else if (sameLine && token.startsWith("/")) {
      stop = index + token.length;
      lineRemark = token.startsWith("//");
    }
  }
  return { comma, stop, lineRemark };
}
