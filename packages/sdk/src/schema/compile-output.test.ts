import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileOutputSchema } from "./compile-output.ts";

const tool = "t";

describe("a schema of results", () => {
  it.each([
    ["a map", { n: "integer", s: "string?" }],
    ["a Zod shape", { n: z.int(), s: z.string().optional() }],
    ["a Zod object", z.object({ n: z.int(), s: z.string().optional() })],
    ["a JSON Schema", { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }],
  ])("%s judges to the letter", (_name, form) => {
    const { jsonSchema, faults } = compileOutputSchema(form, { tool });
    expect(jsonSchema).toMatchObject({ type: "object", required: ["n"] });
    expect(faults({ n: 1 })).toEqual([]);
    expect(faults({ n: "1" })).toMatchObject([{ path: "n", expected: "integer", got: 'string "1"' }]);
    expect(faults({})).toMatchObject([{ path: "n" }]);
    expect(faults([])).toHaveLength(1);
  });

  it("keeps a root anyOf where it is: a result is no input of a model", () => {
    const one = (key: string) => ({
      type: "object",
      properties: { [key]: { type: "string" } },
      required: [key],
    });
    const { jsonSchema, faults } = compileOutputSchema({ anyOf: [one("a"), one("b")] }, { tool });
    expect(jsonSchema).toHaveProperty("anyOf");
    expect([faults({ b: "x" }), faults({ c: 1 }).length > 0]).toEqual([[], true]);
  });

  it.each([{ type: "array", $schema: "https://json-schema.org/draft/2020-12/schema" }, z.string(), "text"])(
    "that is none names the tool: %j",
    (form) => expect(() => compileOutputSchema(form, { tool })).toThrow(/Tool "t \(outputSchema\)"/),
  );
});
