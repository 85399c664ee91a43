import { describe, expect, it } from "vitest";
import type { DecideCall } from "../call.ts";
import { answer, toolOf } from "../test-kit.ts";

function call(matchesSpecifier: (specifier: string) => boolean): DecideCall {
  const tool = toolOf("deploy", { source: "custom", matchesSpecifier });
  return { tool, input: {}, targets: [{ kind: "name", value: "prod" }] };
}

describe("a tool's own reading of a rule", () => {
  it.each(["deny", "ask", "allow"] as const)(
    "is given what stands in the brackets of a rule to %s, as it was written",
    (behavior) => {
      const seen: string[] = [];
      const asked = call((specifier) => {
        seen.push(specifier);
        return specifier === String.raw`a \) *`;
      });
      expect(answer(asked, { [behavior]: [String.raw`deploy(a \) *)`, "deploy(b:c)"] })).toBe(behavior);
      expect(seen).toContain(String.raw`a \) *`);
      expect(
        answer(
          call(() => false),
          { [behavior]: ["deploy(b:c)"] },
        ),
      ).toBe("ask");
    },
  );

  it.each<[string, (specifier: string) => boolean]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["answers with nonsense", () => "yes" as unknown as boolean],
  ])("lets a deny bind and an allow not where it %s", (_, test) => {
    expect(answer(call(test), { deny: ["deploy(x)"] })).toBe("deny");
    expect(answer(call(test), { allow: ["deploy(x)"] })).toBe("ask");
  });
});
