/** What the model reads about Read. */
export const READ_PROMPT = `Reads one file and returns its content with line numbers.

- file_path: an absolute path, or one relative to the working directory. A leading ~/ is the home directory.
- Each line is shown as its number, a tab, and the text. Number and tab are not part of the file.
- Up to 2,000 lines are shown, and up to 2,000 characters of a line. Whatever is cut is told. Give offset (the first line, counted from 1) and limit (how many lines) to read another part.
- PNG, JPEG, GIF and WebP files are shown as images, and notebooks (.ipynb) cell by cell with their outputs.
- It reads files, not directories: use LS for those, and Glob or Grep to find files.
- Edit and Write need a file to have been read first. Several files can be read at the same time.`;
