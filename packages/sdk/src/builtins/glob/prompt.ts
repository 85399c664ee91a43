/** What the model reads about Glob. */
export const GLOB_PROMPT = `Finds files by name, newest first.

- pattern: a glob such as "**/*.ts", "src/*.{js,jsx}" or "docs/**/index.md". Hidden names match only where the pattern names them (".github/**/*.yml").
- path: the directory to start from; the working directory if left out.
- What .gitignore names is left out, unless path or the literal beginning of the pattern names it.
- The first 100 files are shown, and how many there are.

To search in the content of files use Grep.`;
