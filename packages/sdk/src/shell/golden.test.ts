import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";
import { shown } from "./test-kit.ts";

// What is known of each line, as a person reviewed it: `golden/*.txt`. A block is a line, then what is found in it.
// A line break in the line stands as `⏎`.

const TOPICS = [
  "words",
  "values",
  "assignments",
  "builtins",
  "compound",
  "redirects",
  "scripts",
  "carriers",
  "carried",
  "git",
  "files",
  "operands",
  "programs",
  "shapes",
  "facts",
  "options",
  "network",
  "trees",
  "languages",
  "launchers",
  "links",
];

describe.each(TOPICS)("lines: %s", (topic) => {
  const text = readFileSync(new URL(`golden/${topic}.txt`, import.meta.url), "utf8");
  const blocks = text.trimEnd().split("\n\n");
  it.each(blocks.map((block) => block.split("\n")))("%s", (head = "", ...facts) => {
    const line = head.replaceAll("⏎", "\n").replaceAll("⇥", "\t").slice(2);
    expect(shown(analyseFresh(line))).toEqual(facts);
  });
});
