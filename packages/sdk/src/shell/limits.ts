/** Longest line that is looked at, in bytes of UTF-8. */
export const MAX_LINE_BYTES: number = 32 * 1024;
/** Longest line of PowerShell that is looked at, in UTF-16 units. */
export const MAX_POWER_SHELL = 2000;
/** Deepest nesting of compound commands and substitutions. */
export const MAX_NESTING = 48;
/** Deepest nesting of lines inside lines (`sh -c "sh -c …"`). */
export const MAX_INNER_LINES = 6;
/** Deepest nesting of wrappers (`timeout 1 nice env …`). */
export const MAX_WRAPPERS = 12;
/** Most commands looked at in one line, inner ones included. */
export const MAX_COMMANDS = 512;
/** Most values put in for one command. */
export const MAX_VARIANTS = 64;
/** Most values put in for one line. */
export const MAX_LINE_VARIANTS = 512;
/** Most words that brace lists of one word may grow to. */
export const MAX_BRACE_WORDS = 64;
/** Longest value that a variable is followed with, and longest word with brace lists, in UTF-16 units. */
export const MAX_VALUE = 4096;
/** Most variables followed in one line. */
export const MAX_VARIABLES = 64;
/** Most start directories followed at once. */
export const MAX_DIRECTORIES = 16;
/** Most here-documents and here-strings of one text: twice `<` counts as one. */
export const MAX_HERE_DOCUMENTS = 256;
/** Most expansions and substitutions of one text: `${`, `$(`, `<(`, `>(`, pairs of backticks; `$x` counts as half. */
export const MAX_EXPANSIONS = 1024;
/** Most text that all inner lines together may have, in UTF-16 units. */
export const MAX_INNER_TEXT: number = 64 * 1024;
/** Most text that all forms of one line may have, in UTF-16 units. */
export const MAX_FORM_TEXT: number = 512 * 1024;
/** Most nodes of one tree that are looked through. */
export const MAX_NODES = 12_000;
/** Most text that all substitutions together may have, each level counted, in UTF-16 units. */
export const MAX_SUBSTITUTED_TEXT: number = 128 * 1024;
/** Most text of substitutions that is walked, each level counted, in UTF-16 units: 16 levels of the longest line. */
export const MAX_WALKED_TEXT: number = 512 * 1024;
/** Most forms with unknown words kept for one command. */
export const MAX_UNKNOWN_FORMS = 256;
/** Most places looked at where a sub-command may stand behind global options. */
export const MAX_OPTION_PLACES = 64;
/** Most places where a command may start behind an option of a wrapper that is not in its table. */
export const MAX_GUESSES = 6;
/** Most places of a `sed` script looked at where it may name a file. */
export const MAX_SCRIPT_FILES = 32;
/** Most words of one command. */
export const MAX_WORDS = 1024;
/** Most files looked at in one line. */
export const MAX_PATHS = 1000;
/** Most places remembered that a command may have made a link. */
export const MAX_LINKS = 64;
/** Most reasons kept for one line. */
export const MAX_OPACITIES = 32;
