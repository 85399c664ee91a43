export { analyse } from "./analyse.ts";
export { targetsOfLine } from "./bash-targets.ts";
export { isNeverSuggested, subcommandPrefix } from "./suggest.ts";
