import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type { JsonObject, JsonSchema, JsonValue } from "../protocol/index.ts";
import { describe } from "./describe.ts";
import type { InferInput, SchemaForm } from "./infer.ts";

declare function infer<const S extends SchemaForm>(form: S): InferInput<S>;

expectTypeOf(infer({ q: "string", n: "integer?", f: "boolean", o: "object" })).toEqualTypeOf<{
  q: string;
  n?: number;
  f: boolean;
  o: JsonObject;
}>();
expectTypeOf(infer({ tags: ["string"], more: ["number?"], o: { deep: "integer" } })).toEqualTypeOf<{
  tags: string[];
  more?: number[];
  o: { deep: number };
}>();
expectTypeOf(
  infer({
    a: describe("string", "a"),
    b: describe("integer?", "b"),
    c: describe(["string"], "c", { optional: true }),
  }),
).toEqualTypeOf<{ a: string; b?: number; c?: string[] }>();

expectTypeOf(
  infer({ a: z.string(), b: z.number().optional(), c: z.enum(["x", "y"]).default("x") }),
).toEqualTypeOf<{
  a: string;
  b?: number | undefined;
  c: "x" | "y";
}>();
expectTypeOf(infer(z.object({ a: z.string().transform(Number) }))).toEqualTypeOf<{ a: number }>();
expectTypeOf(infer(toStandardJsonSchema(v.object({ a: v.string() })))).toEqualTypeOf<{ a: string }>();
expectTypeOf(infer(type({ a: "string", "b?": "number" }))).toEqualTypeOf<{ a: string; b?: number }>();

expectTypeOf(
  infer({
    type: "object",
    properties: {
      e: { enum: ["x", "y"] },
      n: { type: "integer", minimum: 1 },
      l: { type: "array", items: { type: "string" } },
      o: { type: "object", properties: { b: { type: "boolean" } }, required: ["b"] },
      u: { type: ["string", "null"] },
      any: {},
    },
    required: ["e", "l"],
  }),
).toEqualTypeOf<{
  e: "x" | "y";
  l: string[];
  n?: number;
  o?: { b: boolean };
  u?: string | null;
  any?: JsonValue;
}>();

declare const empty: () => InferInput<Record<never, never>>;
declare const dynamic: JsonSchema;
expectTypeOf(infer(dynamic)).toEqualTypeOf<JsonObject>();
expectTypeOf(infer({ anyOf: [{ type: "object" }] })).toEqualTypeOf<JsonObject>();
expectTypeOf<keyof ReturnType<typeof empty>>().toBeNever();
