export { analyse } from "./analyse.ts";
export { targetsOfLine } from "./bash-targets.ts";
export { isFreeDevice } from "./known/free-device.ts";
export { isNeverSuggested, subcommandPrefix } from "./suggest.ts";
