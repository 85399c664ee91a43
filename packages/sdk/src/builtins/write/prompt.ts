/** What the model reads about Write. */
export const WRITE_PROMPT = `Writes a whole file: creates it, with the directories above it, or replaces all of its content.

- A file that exists must have been read with Read, and must not have changed since.
- A replaced file keeps its encoding, byte order mark, line endings and mode. A new one is UTF-8 with the content exactly as given.
- To change a part of a file, use Edit: it is shorter and shows what changed.
- Write no files that nobody asked for, such as summaries or notes.`;
