import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";

const only = (script: string) => analyseFresh(`sed '${script.replaceAll("'", "'\\''")}' f`);

describe("a sed script that only prints and substitutes", () => {
  it.each([
    "s/[0-9]*//g",
    "s/[^a-z]/x/",
    "s/[]a]/x/",
    "s/[^]a]/x/",
    "s/[[:space:]]*$//",
    "s/[a[:digit:]_]/x/2p",
    "s/[ \\t]*$//;5q",
    "s,[a/b],x,",
    "y/abc/xyz/",
    "1,5p;/x/d",
  ])("is read-only: %s", (script) => {
    expect(only(script).commands[0]?.readOnly).toBe(true);
  });

  it.each([
    "s/[^]/]a/;/e;#/d",
    "s/[]/]a/;/e;#/d",
    "s/[[:alpha:]/]a/;/e;#/d",
    "s/[[.].]/]a/;/e;#/d",
    "s/[[=]=]/]a/;/e;#/d",
    "s/[\\]/]a/;/e;#/d",
    "s/[\\]/;e;#/",
    "s/[a/;e;#]/x/",
    "s/[/;e;#/",
    "s/x/[/;e #]/",
    "s/[[a]/;e;#]/x/",
    "s/a/b/e",
    "s/a/b/w out",
    "1e touch x",
    "r f",
  ])("is not read-only where its parts may be others: %s", (script) => {
    expect(only(script).commands[0]?.readOnly).toBe(false);
  });

  it.each(["s/a/b/w out", "w out", "sxaxbxw out", "1sqaqbqw out", "/x/Isobocow out"])(
    "writes a file: %s",
    (script) => {
      const writes = only(script).paths.filter(({ access }) => access === "write");
      expect(writes.map(({ path }) => path)).toContain("out");
    },
  );
});
