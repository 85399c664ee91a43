import type { MergedValues } from "../../settings/index.ts";
import type { Options } from "../options/types.ts";

/** What settings and the option `env` add to the environment of processes; the option wins. */
export function environmentOf({ env }: MergedValues, option: Options["env"]): Options["env"] {
  if (env.size === 0) return option;
  return { ...Object.fromEntries([...env].map(([name, { value }]) => [name, value])), ...option };
}
