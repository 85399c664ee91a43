import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../model/index.ts";
import { request, TOOL, user } from "../model/wire/test-kit.ts";
import { fromAiSdk } from "./index.ts";
import { type Call, handMade, outcome } from "./test-kit.ts";

const prefix = { system: ["Who you are."], tools: [TOOL, { ...TOOL, name: "Write" }], builtinTools: 2 };
const MARK = { anthropic: { cacheControl: { type: "ephemeral" } } };

async function asked(...requests: readonly Partial<ModelRequest>[]): Promise<Call[]> {
  const calls: Call[] = [];
  const onCall = (call: Call): void => void calls.push(call);
  const model = fromAiSdk(handMade("v3", [], { provider: "x.anthropic", onCall }));
  for (const more of requests) await outcome(model, request([user("Hi")], { ...prefix, ...more }));
  return calls;
}

describe("the prefix of requests", () => {
  it("is converted once", async () => {
    const [first, second] = await asked({}, { tail: ["now"] });
    expect(first.prompt[0]).toEqual({ role: "system", content: "Who you are.", providerOptions: MARK });
    expect(second.prompt[0]).toBe(first.prompt[0]);
    expect(first.tools).toHaveLength(2);
    expect(second.tools[0]).toBe(first.tools[0]);
    expect(second.tools[1]).toBe(first.tools[1]);
  });

  it("is converted anew where it is another one", async () => {
    const [first, second, third] = await asked({}, { system: ["Other."] }, { builtinTools: 1 });
    const marks = ({ tools }: Call): unknown[] => tools.map((tool: Call) => tool.providerOptions);
    expect(marks(first)).toEqual([undefined, MARK]);
    expect(second.prompt[0].content).toBe("Other.");
    expect(third.prompt[0].content).toBe("Who you are.");
    expect(marks(third)).toEqual([MARK, undefined]);
  });
});
