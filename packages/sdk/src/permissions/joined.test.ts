import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/setup/runs.ts";
import { JOINERS } from "../shell/joiners.cases.ts";
import { bashCall, contextOf, decided } from "./test-kit.ts";

const ALLOWED = {
  allow: [
    "Bash(npm run test:*)",
    "Bash(git status)",
    "Bash(ls:*)",
    "Bash(echo:*)",
    "Bash(cat:*)",
    "Bash(cd:*)",
    "Bash(true)",
    "Bash(x)",
  ],
};

const line = fc.constantFrom(
  "ls",
  "ls -la src",
  "git status",
  "cat 'a b'",
  'echo "x"',
  "npm run test",
  "npm run test -- -w",
);
const unallowed = fc.constantFrom(
  "marker-cmd",
  "marker-cmd -x 1",
  "npm run deploy",
  "git push",
  "lsof -i",
  "rm -r src",
);
const mode = fc.constantFrom("default" as const, "acceptEdits" as const, "dontAsk" as const);
const joiner = fc.constantFrom(...JOINERS);

/** Redirects and words that an allowed line may not end with. */
const ENDS: readonly string[] = [
  "> out",
  ">> out",
  ">| out",
  "&> out",
  "2> err",
  "<> out",
  "> $X",
  "> /etc/x",
  "3> out",
  "{fd}> out",
  "> .git/config",
  "> ~/.bashrc",
  "< /dev/tcp/h/1",
  ">& out",
];

describe("an allowed line", () => {
  it("is allowed", () => {
    fc.assert(
      fc.property(line, (own) => {
        expect(decided(bashCall(own), contextOf(ALLOWED)).behavior).toBe("allow");
      }),
    );
  });

  it("with an unallowed command joined to it in any way is not", () => {
    fc.assert(
      fc.property(line, unallowed, mode, joiner, (own, other, at, join) => {
        // In acceptEdits a removal inside is allowed by itself.
        fc.pre(at !== "acceptEdits" || !other.startsWith("rm"));
        const joined = join(own, other);
        expect(decided(bashCall(joined), contextOf(ALLOWED, { mode: at })).behavior, joined).not.toBe(
          "allow",
        );
      }),
      { numRuns: runs * 2 },
    );
  });

  it.each(JOINERS.map((join) => [join("ls", "marker-cmd")]))("is not allowed as %j", (joined) => {
    expect(decided(bashCall(joined), contextOf(ALLOWED)).behavior).not.toBe("allow");
  });

  it("with two of them, one in the other, is not", () => {
    fc.assert(
      fc.property(line, unallowed, joiner, joiner, (own, other, outer, inner) => {
        const joined = outer(own, inner("true", other));
        // A quote or an end of a document inside another one may leave nothing of the command but text.
        fc.pre(!/['"`#\n\\]/.test(inner("true", other)));
        expect(decided(bashCall(joined), contextOf(ALLOWED)).behavior, joined).not.toBe("allow");
      }),
      { numRuns: runs },
    );
  });

  it("with an unallowed command under another spelling is not", () => {
    const quotes: readonly ((text: string) => string)[] = [
      (text) => `"${text.replace(" ", '" "')}"`,
      (text) => `'${text.replace(" ", "' '")}'`,
      (text) => `\\${text}`,
      (text) => `${text[0]}''${text.slice(1)}`,
      (text) => `$'${text.replace(" ", "' $'")}'`,
      (text) => `${text[0]}\\\n${text.slice(1)}`,
      (text) => `/usr/bin/${text}`,
      (text) => `\u00a0${text}`,
      (text) => text.toUpperCase(),
    ];
    fc.assert(
      fc.property(line, unallowed, joiner, fc.constantFrom(...quotes), (own, other, join, quote) => {
        const joined = join(own, quote(other));
        expect(decided(bashCall(joined), contextOf(ALLOWED)).behavior, joined).not.toBe("allow");
      }),
      { numRuns: runs },
    );
  });

  it("with a redirect to a file at its end is not, but where edits are accepted", () => {
    fc.assert(
      fc.property(line, fc.constantFrom(...ENDS), (own, end) => {
        const joined = `${own} ${end}`;
        expect(decided(bashCall(joined), contextOf(ALLOWED)).behavior, joined).not.toBe("allow");
      }),
      { numRuns: runs },
    );
  });
});
