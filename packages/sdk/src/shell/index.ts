export { analyse } from "./analyse.ts";
export { targetsOfLine } from "./bash-targets.ts";
export type { OpenEnded } from "./open-ended.ts";
export { openEnded } from "./open-ended.ts";
export {
  analysePowerShell,
  type PowerShellAnalysis,
  type PowerShellPath,
} from "./power-shell/analyse-power-shell.ts";
export { isNeverSuggested, subcommandPrefix } from "./suggest.ts";
