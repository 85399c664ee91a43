import { describe, expect, it } from "vitest";
import { contextOf } from "../../test-kit.ts";
import { type Subject, subjectOf } from "../subject.ts";
import { coverIndex } from "./cover-index.ts";
import { type Patterns, readPatterns } from "./read-patterns.ts";

const MANY = 2000;

// With a rule that covers the seventh.
const FORMS: readonly [what: string, form: (index: number) => string, wide: string][] = [
  ["sub-commands of one program", (index) => `Bash(git run${index}:*)`, "Bash(*7*)"],
  ["flags of one program", (index) => `Bash(git * --x${index} *)`, "Bash(*7*)"],
  ["exact lines", (index) => `Bash(ls a${index})`, "Bash(*7*)"],
  ["names of programs", (index) => `Bash(tool${index} *)`, "Bash(*7*)"],
  ["words anywhere", (index) => `Bash(* word${index} *)`, "Bash(*7*)"],
  ["folders", (index) => `Read(src/m${index}/**)`, "Read(**/*7*/**)"],
  ["names anywhere", (index) => `Read(name${index})`, "Read(**/*7*/**)"],
  ["endings anywhere", (index) => `Read(**/*.x${index})`, "Read(**)"],
  ["endings in one folder", (index) => `Read(src/*.x${index})`, "Read(src/**)"],
];

function subjects(form: (index: number) => string): Subject[] {
  return Array.from({ length: MANY }, (_, index) =>
    subjectOf({ text: form(index), behavior: "allow", source: "session" }),
  ).filter((subject) => subject !== undefined);
}

/** Counts how often the parts of a pattern are looked at. */
function counted(patterns: Patterns): { readonly patterns: Patterns; looks(): number } {
  let looks = 0;
  const watch = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, key) {
        looks += 1;
        return Reflect.get(target, key);
      },
    });
  const watched = new Map<object, object>();
  const once = <T extends object>(value: T | undefined): T | undefined => {
    if (value === undefined) return undefined;
    const known = watched.get(value) ?? watch(value);
    watched.set(value, known);
    return known as T;
  };
  return {
    patterns: {
      text: (subject) => once(patterns.text(subject)),
      path: (subject) => once(patterns.path(subject)),
    },
    looks: () => looks,
  };
}

describe("the search for a rule that covers another", () => {
  it.each(FORMS)("looks at a bounded number of %s", (_, form) => {
    const { patterns, looks } = counted(readPatterns(contextOf(), false));
    const all = subjects(form);
    const index = coverIndex(all, patterns, false);
    const filled = looks();
    expect(all.filter((subject) => index.cover(subject) !== undefined)).toEqual([]);
    // Each with each would be ten thousand looks and more for each rule.
    expect(filled).toBeLessThan(MANY * 1000);
    expect(looks() - filled).toBeLessThan(MANY * 1000);
  });

  it.each(FORMS)("finds the one that covers, among many %s", (_, form, wide) => {
    const own = form(7);
    const all = subjects(form);
    const subject = subjectOf({ text: own, behavior: "allow", source: "session" });
    const wider = subjectOf({ text: wide, behavior: "allow", source: "session" });
    if (subject === undefined || wider === undefined) throw new Error("a rule that cannot be read");
    const index = coverIndex([wider, ...all], readPatterns(contextOf(), false), false);
    expect(index.cover(subject)?.rule.text).toBe(wide);
  });
});
