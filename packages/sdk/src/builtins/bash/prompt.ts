/** What the model reads about Bash. @param isBackground commands may run in the background */
export function bashPrompt(isBackground: boolean): string {
  return TEXT.replace("BACKGROUND", () => (isBackground ? BACKGROUND : FOREGROUND));
}

const FOREGROUND = "Nothing runs in the background:";
const BACKGROUND =
  "run_in_background starts the command and returns its id at once: for servers, watchers and long builds. Read its output with BashOutput, end it with KillShell; you are told when it ends. It runs until then or until the session ends; timeout limits it only where it is given, and its cd moves nothing. Without it nothing runs in the background:";

const TEXT = `Runs a command line in bash and returns what it printed, standard output and error output interleaved, and its exit code when that is not 0.

- The working directory is kept from one call to the next while it stays inside the allowed directories. Variables, functions and options are not kept.
- There is no input and no terminal: commands that ask something get an end of file, and pagers and editors do not open.
- timeout is in milliseconds: 120,000 unless given, at most 600,000. When it is over, the command and everything it started is ended, and what it printed so far is returned.
- BACKGROUND processes that are still running when the command line ends are ended with it.
- Over 30,000 characters of output are cut in the middle; the whole is kept as an artifact.
- Put paths with blanks in quotes. Join commands that depend on each other with &&.
- To find and read files use Glob, Grep and Read, and Edit and Write to change them: they need fewer permissions and show their results better.
- description says in a few words what the command does; people read it.`;
