import type { JsonSchema } from "../../protocol/index.ts";

/** Entries that a search gathers at most, and the most that any number of the input may be. */
export const MOST_ENTRIES = 100_000;

const count = (description: string): JsonSchema => ({
  type: "integer",
  minimum: 0,
  maximum: MOST_ENTRIES,
  description,
});
const flag = (description: string): JsonSchema => ({ type: "boolean", description });
const text = (description: string): JsonSchema => ({ type: "string", minLength: 1, description });

/** The input of Grep. */
export const GREP_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    pattern: text("The regular expression to look for."),
    path: text("The file or directory to search. Default: the working directory."),
    glob: {
      ...text('Which files, by name: "*.ts", "src/**/*.js", "!*.test.ts". Several are parted by commas.'),
      maxLength: 1000,
    },
    type: {
      type: "string",
      pattern: "^[A-Za-z0-9_+-]{1,40}$",
      description: "Which files, by language: js, py.",
    },
    output_mode: {
      type: "string",
      enum: ["content", "files_with_matches", "count"],
      description: "What is shown. Default files_with_matches.",
    },
    "-A": count("Lines shown after each match."),
    "-B": count("Lines shown before each match."),
    "-C": count("Lines shown before and after each match."),
    context: count("The same as -C."),
    "-n": flag("Show line numbers. Default true."),
    "-i": flag("Ignore letter case."),
    "-o": flag("Show only the matching parts."),
    head_limit: count("Entries shown at most. Default 250; 0 for as many as fit."),
    offset: count("Entries to skip. Default 0."),
    multiline: flag("The pattern may span lines, and . matches line ends."),
  },
  required: ["pattern"],
  additionalProperties: false,
};
