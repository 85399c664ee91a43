import type { Opacity } from "../protocol/index.ts";

/** Why a line cannot be seen through, by code. */
export const OPACITY_REASONS = {
  "too-long": "The line is longer than 32 KiB.",
  "too-many": "The line holds more commands or text than is looked at.",
  "too-many-paths": "The line touches more files than are looked at.",
  nesting: "Commands are nested too deep.",
  control: "The line holds a control character, which hides what runs from a reader.",
  parse: "This is not a complete shell line, so what would run is not known.",
  expansion: "Bash may take the quotes, or the slash, inside this expansion otherwise than it looks.",
  internal: "The line could not be analysed.",
  "dynamic-command": "Which program runs is only known when the line runs.",
  "dynamic-script": "A script is built while the line runs, so what it runs is not known.",
  "fed-interpreter": "An interpreter reads its program from its input, which is not known before.",
  "dynamic-source": "A file of unknown name is run in this shell.",
  loader: "This makes the shell run or load something that the line does not show.",
  "git-config": "This git setting can make git run a program.",
  arithmetic: "Arithmetic over a value that is not a plain integer can run commands hidden in it.",
  indirect: "The value of a variable is taken as a name or evaluated again.",
  assignment: "Setting this variable can change which program runs or what it loads.",
  network: "A redirect to /dev/tcp or /dev/udp opens a network connection.",
} as const;

export type OpacityCode = keyof typeof OPACITY_REASONS;

const MAX_TEXT = 200;

export function opacity(code: OpacityCode, text: string): Opacity {
  return { code, text: text.slice(0, MAX_TEXT), why: OPACITY_REASONS[code] };
}
