/** What the model reads about BashOutput. */
export const BASH_OUTPUT_PROMPT = `Gives what a command that Bash started with run_in_background has printed since the last look, and how it stands: still running, completed, failed with its exit code or signal, stopped or lost.

- bash_id is the id that Bash gave (task_id means the same).
- filter is a regular expression: only lines that it finds are given, and the others are passed over for good. Of a command that runs, a last line without its end waits for the next look.
- block waits until the command ends, timeout milliseconds at most (30,000 unless given).
- Colours and other control sequences of terminals are left out. Over 30,000 characters are cut in the middle; the whole is kept as an artifact. Of very long output only the newest 8 MiB are kept, and you are told.
- You are told when a command ends: do not ask again and again.`;

/** What the model reads about KillShell. */
export const KILL_SHELL_PROMPT = `Ends a command that Bash started with run_in_background, and every process that it has started.

- shell_id is the id that Bash gave (task_id means the same).
- It is asked to end first, and killed five seconds later if it has not. What it printed can still be read with BashOutput.
- Commands that have ended need no KillShell; all of them end with the session.`;
