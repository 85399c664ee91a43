import type { CastellanError } from "../../protocol/index.ts";
import { nearestName } from "../../tools/index.ts";
import { badOption } from "./fault.ts";
import { camelCase, LATER_OPTIONS, MEANT_OPTIONS } from "./known.ts";

/** The error for a key that no option has. The value is not shown: it may be a secret. */
export function unknownKey(key: string, known: readonly string[]): CastellanError {
  const camel = camelCase(key);
  if (LATER_OPTIONS.has(camel)) {
    const spelled = camel === key ? "" : ` (spelled ${camel} here)`;
    return badOption(
      key,
      `options.${key}${spelled} is not supported in this release.`,
      "Remove it; docs/limitations.md lists what is missing.",
    );
  }
  const nearest = known.includes(camel) ? camel : (MEANT_OPTIONS.get(camel) ?? nearestName(key, known));
  const fix = nearest === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean ${nearest}?`;
  return badOption(key, `options.${key} is not an option.`, fix);
}
