/** What the model reads about Grep. */
export const GREP_PROMPT = `Searches the content of files with a regular expression.

- pattern: a regular expression in ripgrep's syntax (no look-around, no back references). Escape what is meant literally: \\{ \\( \\. and so on.
- path: a file or directory; the working directory if left out. Files that .gitignore names, version control data and binary files are left out, unless path names them.
- output_mode: files_with_matches (the default) gives paths, content gives matching lines, count gives the number of matching lines a file.
- glob narrows by name ("*.ts", "src/**/*.{ts,tsx}", "!*.test.ts"), type by language ("js", "py", "rust").
- -i ignores case. For content: -n line numbers (on unless false), -A, -B, -C (or context) lines around a match, -o only the matching parts.
- multiline lets the pattern span lines, and . match line ends.
- The first 250 entries are shown; head_limit changes that (0: as many as fit), offset skips entries.

Use it instead of grep or rg in Bash.`;
