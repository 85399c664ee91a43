import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse, analyseFresh } from "./analyse.ts";
import { targetsOfLine } from "./bash-targets.ts";
import { JOINERS } from "./joiners.cases.ts";
import { createLineGenerator } from "./line-generator.ts";
import { isNeverSuggested, subcommandPrefix } from "./suggest.ts";

const numRuns = Number(process.env.CASTELLAN_RUNS ?? 200);

const shellish = fc.array(
  fc.constantFrom(
    ..."$ $( ) ` ' \" \\ { } , .. [ ] [[ ]] (( )) ; & && || | |& > >> < << <<- <<< <( >( \n \t = ! # ~ * ? @( $' ${ ${x:= ${!x} ${x@P} for in do done if then fi case esac while function f() x=1 a[ ]= E rm ls eval sh -c bash xargs -I{} find . -exec {} ; + timeout 5 git -C push sudo env read alias trap cd .. $HOME $X export source [ -v test time coproc exec 3<f $(( )) \\\n \u00a0 \u0000 \r \ud800 🙂 é".split(
      " ",
    ),
    " ",
  ),
  { maxLength: 60 },
);
const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  shellish.map((parts) => parts.join("")),
  shellish.map((parts) => parts.join(" ")),
  fc.nat().map((seed) => createLineGenerator(seed + 1).line(2)),
);

describe("analyse", () => {
  it("never throws, and is closed: what is not opaque or blank has commands", () => {
    fc.assert(
      fc.property(anything, (line) => {
        const analysis = analyseFresh(line);
        expect(analysis.opaque.map((each) => each.code)).not.toContain("internal");
        if (analysis.blank)
          expect(line.split("\n").every((each) => /^[ \t]*(#.*)?$/su.test(each))).toBe(true);
        analysis.commands.forEach((command, index) => {
          expect(command.index).toBe(index);
          expect(command.carrier ?? -1).toBeLessThan(index);
          isNeverSuggested(command);
          subcommandPrefix(command);
        });
        for (const path of analysis.paths) expect(analysis.commands[path.command]).toBeDefined();
        for (const each of analysis.opaque) expect(each.text.length).toBeLessThanOrEqual(200);
        expect(targetsOfLine(analysis).length).toBe(
          Math.max(1, analysis.commands.length) + analysis.paths.length + analysis.hosts.length,
        );
      }),
      { numRuns },
    );
  });

  it("tries every form of allow for deny as well", () => {
    fc.assert(
      fc.property(anything, (line) => {
        for (const command of analyseFresh(line).commands) {
          const deny = new Set(command.denyForms);
          for (const form of command.allowForms) expect(deny.has(form), form).toBe(true);
        }
      }),
      { numRuns },
    );
  });

  it("gives the same answer from the cache", () => {
    fc.assert(
      fc.property(anything, (line) => {
        expect(analyse(line)).toEqual(analyseFresh(line));
        expect(analyse(line)).toEqual(analyse(line));
      }),
      { numRuns: Math.min(numRuns, 200) },
    );
  });
});

describe("a command that is joined on", () => {
  const allowed = fc.constantFrom("ls", "ls -la src", "git status", "cat 'a b'", 'echo "x"', "npm run test");
  const marker = fc.constantFrom("marker-cmd", "marker-cmd -x 1");
  it.each(JOINERS.map((join, index): [number, typeof join] => [index, join]))(
    "is seen, or the line is opaque: joiner %i",
    (_, join) => {
      fc.assert(
        fc.property(allowed, marker, (a, m) => {
          const analysis = analyseFresh(join(a, m));
          const seen = analysis.commands.some((command) =>
            command.denyForms.some((form) => /^marker-cmd(?: |$)/.test(form)),
          );
          expect(seen || analysis.opaque.length > 0, join(a, m)).toBe(true);
          expect(analysis.blank).toBe(false);
        }),
        { numRuns: 12 },
      );
    },
  );

  it("is seen under two joiners at once", () => {
    fc.assert(
      fc.property(
        allowed,
        marker,
        fc.nat(JOINERS.length - 1),
        fc.nat(JOINERS.length - 1),
        (a, m, outer, inner) => {
          const text = JOINERS[inner]?.("ls", m) ?? m;
          // Quotes, here-documents and comments cannot stand inside another form, nor can a keyword after a wrapper.
          if (
            !text.startsWith("ls") ||
            text.includes("\n") ||
            text.includes("#") ||
            text.includes("'") ||
            text.includes('"') ||
            text.includes("`")
          )
            return;
          const line = JOINERS[outer]?.(a, text) ?? text;
          const analysis = analyseFresh(line);
          const seen = analysis.commands.some((command) =>
            command.denyForms.some((form) => /^marker-cmd(?: |$)/.test(form)),
          );
          expect(seen || analysis.opaque.length > 0, line).toBe(true);
        },
      ),
      { numRuns },
    );
  });
});
