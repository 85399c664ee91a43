import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../test/setup/runs.ts";
import type { RuleBehavior } from "../../protocol/index.ts";
import { foldedMcpNames, foldMcpName, mcpAllows, mcpBinds } from "../rule/mcp-name.ts";
import { coversDescribed, patternMayMeet } from "../rule/path-match.ts";
import { parseSegment } from "../rule/segment.ts";
import { foldFirstWord, matchesText, mayMatchText } from "../rule/text-pattern.ts";
import { contextOf, NOW } from "../test-kit.ts";
import { isLive } from "./bound-rule.ts";
import { compilePolicy } from "./compile.ts";
import { findCoveringPath, findPossiblePath } from "./described-paths.ts";
import { findAllowedMcp, findBindingMcp } from "./mcp-index.ts";
import { findAnyText, findPossibleText } from "./text-index.ts";

// An index may only save looks: it finds the very rule that a look at all of them, in order, finds.

const numRuns = runs;

function setOf(rules: readonly string[], behavior: RuleBehavior) {
  return compilePolicy(contextOf({ [behavior]: rules }))[behavior];
}

const word = fc.constantFrom("git", "Git", "npm", "push", "run", "a", "-C", "git*", "p*", "*", "ü", "");
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const bashRule = fc
  .tuple(text, fc.constantFrom("", ":*", " *", "*", " && x"))
  .map(([body, end]) => `Bash(${body}${end})`);

const part = fc.constantFrom("a", "A", "a_b", "a__b", "b.c", "*", "x*", "", "_", "__");
const mcpRule = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `mcp__${parts.join("__")}`);

const piece = fc.constantFrom("a", "b", "c", "*", "**", "a*", "[ab]", "?");
const pieces = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const pathRule = fc
  .tuple(
    fc.constantFrom("", "/", "./", "//w/proj/", "//w/", "**/", "~/"),
    pieces,
    fc.constantFrom("", "/", "/**"),
  )
  .map((parts) => `Read(${parts.join("")})`);
const describedPath = fc
  .tuple(fc.constantFrom(["w", "proj"], ["w"], [], ["home", "u"], ["x"]), fc.array(piece, { maxLength: 4 }))
  .map(([head, tail]) => [...head, ...tail].map((part) => parseSegment(part, false)));

describe("the indexes of rules", () => {
  it("find the rule on a command that a look at all finds", () => {
    fc.assert(
      fc.property(
        fc.array(bashRule, { maxLength: 12 }),
        fc.constantFrom("allow", "deny"),
        text,
        (rules, behavior, own) => {
          const { bash } = setOf(rules, behavior as RuleBehavior);
          const all = bash.all.filter(
            (rule) =>
              rule.pattern.kind !== "line" &&
              isLive(rule, NOW) &&
              (matchesText(rule.pattern, own) ||
                (rule.folded !== undefined && matchesText(rule.folded, foldFirstWord(own)))),
          );
          const found = findAnyText(bash, [own], undefined, NOW);
          expect(found === undefined).toBe(all.length === 0);
          if (found !== undefined) expect(all).toContain(found);
          // Whatever word the caller takes for the first, the answer is the same.
          for (const likely of ["", own, own.split(" ")[0], "git", "git push"])
            expect(findAnyText(bash, [own], likely, NOW)).toBe(found);
        },
      ),
      { numRuns },
    );
  });

  it("find the first rule that an unknown word may fall under", () => {
    const pieces = fc.array(fc.oneof(text, fc.constant(" x"), fc.constant("git ")), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(bashRule, { maxLength: 12 }), pieces, (rules, own) => {
        const { bash } = setOf(rules, "deny");
        const folded = [foldFirstWord(own[0] ?? ""), ...own.slice(1)];
        const first = bash.all.find(
          (rule) =>
            mayMatchText(rule.pattern, own) ||
            (rule.folded !== undefined && mayMatchText(rule.folded, folded)),
        );
        expect(findPossibleText(bash, own, NOW)).toBe(first);
      }),
      { numRuns },
    );
  });

  it("find the first rule on a tool of a server", () => {
    fc.assert(
      fc.property(fc.array(mcpRule, { maxLength: 12 }), part, part, part, (rules, server, tool, more) => {
        const allow = setOf(rules, "allow").mcp;
        const identity = { server, tool };
        const called = `mcp__${server}__${tool}${more}`;
        const allows = (name: string): boolean => mcpAllows(name, identity);
        expect(findAllowedMcp(allow, identity, NOW)).toBe(allow.all.find(({ name }) => allows(name)));
        expect(findAllowedMcp(allow, identity, NOW, called)).toBe(
          allow.all.find(({ name }) => name === called || allows(name)),
        );
        const deny = setOf(rules, "deny").mcp;
        const names = [...foldedMcpNames(server, tool), foldMcpName(called)];
        expect(findBindingMcp(deny, names, NOW)).toBe(deny.all.find(({ binder }) => mcpBinds(binder, names)));
      }),
      { numRuns },
    );
  });

  it("find the first rule on paths that a pattern describes", () => {
    fc.assert(
      fc.property(fc.array(pathRule, { maxLength: 12 }), describedPath, (rules, described) => {
        for (const behavior of ["allow", "deny"] as const) {
          const { read } = setOf(rules, behavior);
          expect(findPossiblePath(read, described, NOW)).toBe(
            read.all.find(({ pattern }) => patternMayMeet(pattern, described)),
          );
          expect(findCoveringPath(read, described, NOW)).toBe(
            read.all.find(({ pattern }) => coversDescribed(pattern, described)),
          );
        }
      }),
      { numRuns },
    );
  });
});
