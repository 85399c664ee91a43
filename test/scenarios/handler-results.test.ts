import { buildTool, tool } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run } from "../kit/session.ts";

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const trap = {
  get content(): unknown {
    throw new Error("a trap");
  },
};
const revoked = (() => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
})();

/** What a handler gives back, and what the author must be able to read out of the error. */
const BAD: readonly (readonly [string, () => unknown, RegExp])[] = [
  ["undefined", () => undefined, /content/],
  ["null", () => null, /content/],
  ["a text", () => "text", /text[\s\S]*content/],
  ["a number", () => 42, /42[\s\S]*content/],
  ["NaN", () => Number.NaN, /content/],
  ["a bigint", () => 10n, /content/],
  ["a symbol", () => Symbol("s"), /content/],
  ["a function", () => () => {}, /content/],
  ["an empty list", () => [], /content/],
  ["a list of blocks", () => [{ type: "text", text: "x" }], /content/],
  ["an empty object", () => ({}), /content/],
  ["other keys", () => ({ status: 200 }), /status[\s\S]*content/],
  ["a Map", () => new Map([["content", []]]), /content/],
  ["a Date", () => new Date(0), /content/],
  ["content that is a text", () => ({ content: "x" }), /content/],
  ["content that is null", () => ({ content: null }), /content/],
  ["a block that is a text", () => ({ content: ["x"] }), /content|block/],
  ["a block that is null", () => ({ content: [null] }), /content|block/],
  ["only an unknown block", () => ({ content: [{ type: "hologram" }] }), /hologram/],
  ["a text block without text", () => ({ content: [{ type: "text" }] }), /text/],
  ["an image without its type", () => ({ content: [{ type: "image", data: "AA==" }] }), /mimeType|image/],
  ["a cyclic object", () => cyclic, /content/],
  ["a cyclic output", () => ({ success: true, output: cyclic }), /./],
  ["flags that disagree", () => ({ content: [], isError: true, is_error: false }), /is_error|isError/],
  ["an object that traps whoever reads it", () => trap, /./],
  ["a revoked proxy", () => revoked, /./],
  ["a promise of undefined", async () => undefined, /content/],
  ["a rejection", () => Promise.reject(new Error("away")), /away/],
  ["a rejection with nothing", () => Promise.reject(undefined), /./],
  [
    "a throw",
    () => {
      throw new Error("the database is away");
    },
    /the database is away/,
  ],
  [
    "a throw of an error without a message",
    () => {
      throw new Error("");
    },
    /./,
  ],
  [
    "a throw of a cyclic object",
    () => {
      throw cyclic;
    },
    /./,
  ],
];

describe("a handler that does not keep the contract", () => {
  it.each(BAD)(
    "%s: an error result that tells the author, and the loop goes on",
    async (_, execute, tells) => {
      const probe = tool("probe", "Does as it is told.", {}, execute as never, { riskLevel: "low" });
      const { result, users, texts, model } = await run(once("probe"), {
        tools: [probe],
        allowedTools: ["probe"],
      });
      expect(result).toMatchObject({ subtype: "success", result: "done" });
      expect(users).toHaveLength(1);
      expect(resultBlock(users[0]).is_error).toBe(true);
      expect(texts[0]).toMatch(tells);
      expect(texts[0]).not.toMatch(/\n\s+at /);
      expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('"isError":true');
    },
  );

  it("the same through buildTool(): a call() that returns nothing", async () => {
    const probe = buildTool({
      name: "probe",
      description: "Does as it is told.",
      inputSchema: {},
      riskLevel: "low",
      call: () => undefined as never,
    } as never);
    const { users, texts } = await run(once("probe"), { tools: [probe], allowedTools: ["probe"] });
    expect(resultBlock(users[0]).is_error).toBe(true);
    expect(texts[0]).toMatch(/content/);
  });

  it("handlers side by side: one that breaks leaves the others alone", async () => {
    const make = (name: string, execute: () => unknown) =>
      tool(name, `Is ${name}.`, {}, execute as never, {
        riskLevel: "low",
        annotations: { readOnlyHint: true },
      });
    const good = { content: [{ type: "text", text: "fine" }] };
    const tools = [
      make("good", () => good),
      make("bad", () => cyclic),
      make("worse", () => Promise.reject(null)),
    ];
    const names = ["bad", "good", "worse", "good"];
    const { users, result } = await run([{ toolCalls: names.map((name) => ({ name })) }, "done"], {
      tools,
      allowedTools: ["good", "bad", "worse"],
    });
    expect(result).toMatchObject({ subtype: "success" });
    expect(users.filter((user) => resultBlock(user).is_error === true)).toHaveLength(2);
  });
});

describe("a tool that is not there", () => {
  it.each(["Read", "Bash", "nope", "constructor", "__proto__", "toString", "", "x".repeat(5_000), "read\n"])(
    "tools: [] and a call of %j: No such tool, no crash",
    async (name) => {
      const { texts, users, result, model } = await run(
        [{ toolCalls: [{ name: name === "" ? "-" : name, input: { file_path: "/etc/passwd" } }] }, "done"],
        { tools: [] },
      );
      expect(model.requests[0]?.tools).toEqual([]);
      expect(texts[0]).toMatch(/^No such tool/);
      expect(texts[0]?.length).toBeLessThan(1_000);
      expect(resultBlock(users[0]).is_error).toBe(true);
      expect(result).toMatchObject({ subtype: "success", permission_denials: [] });
    },
  );

  it("names the one that was probably meant", async () => {
    const { texts } = await run([{ toolCalls: [{ name: "Grepp" }] }, "done"]);
    expect(texts[0]).toMatch(/No such tool: Grepp.*Did you mean Grep\?/);
  });

  it("input that is no JSON object is shown back, and nothing runs", async () => {
    for (const inputText of ["{broken", "[1]", '"text"', "null", "7"]) {
      const { texts, users } = await run([{ toolCalls: [{ name: "Bash", inputText }] }, "done"], {
        allowedTools: ["Bash"],
      });
      expect(resultBlock(users[0]).is_error).toBe(true);
      expect(texts[0]).toContain(inputText);
    }
  });
});
