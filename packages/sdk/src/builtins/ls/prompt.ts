/** What the model reads about LS. */
export const LS_PROMPT = `Lists the entries of one directory, hidden ones included: directories end in /, links show where they lead.

- path: an absolute path, or one relative to the working directory.
- ignore: glob patterns of names to leave out, such as "node_modules" or "*.log".
- It does not go into sub-directories. To find files by name in a tree use Glob, by content Grep.`;
