import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseResult } from "./normalise-result.ts";
import { normaliseThrow } from "./normalise-throw.ts";
import { BAD_RESULTS, GOOD_RESULTS } from "./results.cases.ts";
import { WANTED } from "./wanted.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const tool = { name: "weather" };
const textOf = (raw: unknown): string =>
  normaliseResult(raw, tool)
    .content.map((part) => (part.type === "text" ? part.text : ""))
    .join("\n");

describe("what a handler may return", () => {
  it("has tables of at least 60 results", () => {
    expect(GOOD_RESULTS.length + BAD_RESULTS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(GOOD_RESULTS)("%s", (_name, raw, content, isError = false, structured = undefined) => {
    const result = normaliseResult(raw, tool);
    expect({ content: result.content, isError: result.isError, structured: result.structured }).toEqual({
      content,
      isError,
      structured,
    });
    expect(result.warnings).toEqual([]);
  });

  it.each(BAD_RESULTS)("malformed: %s", (_name, raw, ...words) => {
    const result = normaliseResult(raw, tool);
    expect(result.isError).toBe(true);
    const text = textOf(raw);
    for (const word of words) expect(text).toContain(word);
    expect(text).toContain(WANTED);
  });

  it("takes a returned Error for a failure, and shows no stack", () => {
    expect(normaliseResult(new TypeError("no city"), tool)).toMatchObject({ isError: true });
    expect(textOf(new TypeError("no city"))).toBe("weather returned an Error: no city");
  });
});

describe("an unknown block", () => {
  it("is left out with a warning, and the rest stays", () => {
    const raw = { content: [{ type: "video" }, { type: "text", text: "kept" }] };
    expect(normaliseResult(raw, tool)).toEqual({
      content: [{ type: "text", text: "kept" }],
      isError: false,
      warnings: ['weather returned a content block of the unknown type "video"; it was left out.'],
    });
  });
});

describe("artifacts", () => {
  const hash = "b".repeat(64);

  it("are given to the host, and the model never sees the hash", () => {
    const ref = { id: "art_9", hash, size: 1, mediaType: "text/plain" };
    const result = normaliseResult({ success: true, output: "x", artifacts: [{ ...ref, extra: 1 }] }, tool);
    expect(result.artifacts).toEqual([ref]);
    expect(JSON.stringify(result.content)).not.toContain(hash);
  });
});

describe("what a handler throws", () => {
  it.each<[unknown, string]>([
    [new Error("disk full"), "disk full"],
    [new RangeError(""), "RangeError"],
    [new Error("  "), "Error"],
    ["plain words", "plain words"],
    ["", "tool failed"],
    [undefined, "tool failed: undefined was thrown"],
    [null, "tool failed: null was thrown"],
    [7, "tool failed: a number was thrown: 7"],
    [5n, "tool failed: a bigint was thrown: 5"],
    [Symbol("s"), "tool failed: a symbol was thrown: Symbol(s)"],
    [{ message: "looks like one" }, "looks like one"],
    [{ code: 5 }, '{"code":5}'],
    [Object.create(null), "{}"],
    [
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("x");
          },
        },
      ),
      "something that cannot be read",
    ],
    [
      Object.defineProperty(new Error("x"), "message", {
        get: () => {
          throw new Error("y");
        },
      }),
      "something that cannot be read",
    ],
  ])("%#: is an error result with its message", (thrown, text) => {
    expect(normaliseThrow(thrown)).toEqual({
      content: [{ type: "text", text }],
      isError: true,
      warnings: [],
    });
  });

  it("is cut after 2,000 characters, never inside one, and has no stack", () => {
    const part = normaliseThrow(new Error("x".repeat(1_999) + "😀".repeat(10))).content[0];
    expect(part).toEqual({ type: "text", text: `${"x".repeat(1_999)}…` });
    expect(JSON.stringify(normaliseThrow(new Error("short")))).not.toContain(".ts");
  });
});

describe("any value at all", () => {
  const field = fc.constantFrom(
    "content",
    "output",
    "summary",
    "success",
    "structuredContent",
    "isError",
    "is_error",
    "artifacts",
    "images",
    "other",
  );
  const block = fc.record(
    {
      type: fc.constantFrom("text", "image", "video", "resource", 5),
      text: fc.anything(),
      data: fc.anything(),
      mimeType: fc.constantFrom("image/png", 1),
      resource: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const value = fc.oneof(
    fc.anything({ withBigInt: true, withMap: true, withSparseArray: true }),
    fc.dictionary(field, fc.oneof(fc.anything({ withBigInt: true }), fc.array(block), fc.boolean())),
  );

  it("gives at least one readable part that is JSON, and never throws", () => {
    fc.assert(
      fc.property(value, (raw) => {
        const result = normaliseResult(raw, tool);
        expect(result.content.length).toBeGreaterThan(0);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        for (const part of result.content) if (part.type === "text") expect(part.text.trim()).not.toBe("");
        if (typeof raw !== "object" || raw === null || Array.isArray(raw)) expect(result.isError).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it("thrown, gives one text", () => {
    fc.assert(
      fc.property(value, (thrown) => {
        const { content, isError } = normaliseThrow(thrown);
        expect(isError).toBe(true);
        expect(content).toHaveLength(1);
        expect(content[0]).toMatchObject({ type: "text", text: expect.stringMatching(/\S/) });
      }),
      { numRuns: runs },
    );
  });
});
