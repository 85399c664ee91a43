import { describe, expect, it } from "vitest";
import { mendMalformed } from "./mend-malformed.ts";

describe("what a rule that cannot be read was meant to be", () => {
  it.each([
    ["Bash(rm:*", "Bash(rm:*)"],
    ["Bash(rm ) x", undefined],
    ["Bash", undefined],
    [" Bash(ls) ", "Bash(ls)"],
    ["Bash(ls)*", "Bash(ls*)"],
    ["Bash(ls):*", "Bash(ls:*)"],
    ["Bash(ls) * ", "Bash(ls*)"],
    ["Bash(ls)x", undefined],
    ["Bash(a)(b)*", "Bash(a)(b*)"],
    [")*", undefined],
    ["", undefined],
    ["WebFetch(example.com)", "WebFetch(domain:example.com)"],
    ["WebFetch(https://example.com)", "WebFetch(domain:example.com)"],
    ["WebFetch(http://example.com/a/b)", "WebFetch(domain:example.com)"],
    ["WebFetch(HTTPS://Example.com)", "WebFetch(domain:Example.com)"],
    ["WebFetch(domain:https://example.com)", "WebFetch(domain:example.com)"],
    ["WebFetch(domain: example.com )", "WebFetch(domain:example.com)"],
    ["WebFetch(https://example.com:8080/a)", "WebFetch(domain:example.com)"],
    ["WebFetch(https://example.com:123456/a)", undefined],
    ["WebFetch(*.example.com)", "WebFetch(domain:*.example.com)"],
    ["WebFetch(ftp://example.com)", undefined],
    ["XWebFetch(example.com)", undefined],
    ["WebFetch(example.com) x", undefined],
    ["mcp__shop(list)", "mcp__shop__list"],
    ["mcp__shop(*)", "mcp__shop__*"],
    ["mcp__shop__list(x)", "mcp__shop__list"],
    ["mcp__shop(a b)", undefined],
    ["mcp__shop(list)x", undefined],
    ["xmcp__shop(list)", undefined],
  ])("%j: %j", (text, want) => {
    expect(mendMalformed(text)).toBe(want);
  });
});
