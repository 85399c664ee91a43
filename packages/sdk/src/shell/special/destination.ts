import type { Arguments, GivenOption } from "../options.ts";
import { type Decoded, known } from "../words/decoded.ts";

/** The option by which the directory that everything goes to is named in front of the sources. */
export function destinationOf({ options }: Arguments): GivenOption | undefined {
  // `-t` of `rsync` is another option, without a value.
  return options.find(
    ({ name, value }) => value !== undefined && (name === "-t" || name === "--target-directory"),
  );
}

/** Under which name something lands in a directory. Undefined where that is not known, or no name. */
export function baseName(word: Decoded): string | undefined {
  const name = /([^/]+)\/*$/.exec(known(word) ?? "")?.[1];
  return name === "." || name === ".." ? undefined : name;
}
