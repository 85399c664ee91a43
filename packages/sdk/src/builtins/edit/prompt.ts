/** What the model reads about Edit. */
export const EDIT_PROMPT = `Replaces a piece of text in a file.

- The file must have been read with Read, and must not have changed since.
- old_string is the exact text to replace, with its indentation, and without the line numbers that Read shows. It must stand in the file exactly once: add lines around it until it does, or set replace_all to change every place.
- new_string takes its place literally. It must differ from old_string.
- Write line ends as \\n. The file keeps its own line endings, encoding and mode.
- An empty old_string creates a file that does not exist yet, or fills an empty one.
- The result shows the changed lines with their numbers.`;
