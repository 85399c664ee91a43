import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import type {
  ArtifactRef,
  BuiltinContext,
  JsonObject,
  JsonSchema,
  ToolDefinition,
} from "../protocol/index.ts";
import { describe } from "../schema/index.ts";
import { definitionOf } from "./brand.ts";
import { buildTool } from "./build-tool.ts";
import { invokeTool } from "./invoke-tool.ts";
import { tool } from "./tool.ts";
import type { AnyTool, HandlerContext, HandlerResult, Tool } from "./types.ts";

const done = (): HandlerResult => ({ content: [] });

const shorthand = tool("a", "d", { city: "string", days: "integer?" }, (args, context) => {
  expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number }>();
  expectTypeOf(context).toEqualTypeOf<HandlerContext>();
  return { content: [{ type: "text", text: args.city }] };
});
expectTypeOf(shorthand).toEqualTypeOf<Tool<{ city: string; days?: number }>>();

tool("a", "d", { city: z.string(), days: z.number().default(1) }, async (args) => {
  expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>();
  return { success: true, output: args.days };
});

tool("a", "d", z.object({ n: z.string().transform(Number) }), ({ n }) => {
  expectTypeOf(n).toBeNumber();
  return done();
});

tool(
  "a",
  "d",
  { type: "object", properties: { unit: { enum: ["c", "f"] } }, required: ["unit"] },
  ({ unit }) => {
    expectTypeOf(unit).toEqualTypeOf<"c" | "f">();
    return done();
  },
  {
    riskLevel: ({ unit }) => (unit === "c" ? "low" : "high"),
    targets: ({ unit }) => [{ kind: "name", value: unit }],
  },
);

declare const schema: JsonSchema;
tool("a", "d", schema, (args) => {
  expectTypeOf(args).toEqualTypeOf<JsonObject>();
  return done();
});

const object = tool({
  name: "a",
  description: "d",
  version: "1.0.0",
  inputSchema: { tags: ["string"] },
  execute: ({ tags }) => {
    expectTypeOf(tags).toEqualTypeOf<string[]>();
    return done();
  },
});

const built = buildTool({
  name: "a",
  description: "d",
  inputSchema: { path: "string" },
  isReadOnly: ({ path }) => path === "",
  call: (input, context) => {
    expectTypeOf(input).toEqualTypeOf<{ path: string }>();
    expectTypeOf(context).toEqualTypeOf<BuiltinContext>();
    return input.path;
  },
});
expectTypeOf(built).toEqualTypeOf<ToolDefinition>();

// Tools of different arguments stand in one list.
const list: readonly AnyTool[] = [shorthand, object, built];
expectTypeOf(definitionOf(list[0])).toEqualTypeOf<ToolDefinition | undefined>();
expectTypeOf(invokeTool(shorthand, { city: "x" })).resolves.toEqualTypeOf<HandlerResult>();

// @ts-expect-error a handler that returns nothing
tool("a", "d", {}, () => undefined);
// @ts-expect-error a handler that returns a text
tool("a", "d", {}, () => "text");
// @ts-expect-error a risk level outside the three
tool("a", "d", {}, done, { riskLevel: "severe" });
// @ts-expect-error an unknown field
tool("a", "d", {}, done, { riskLvel: "low" });
// @ts-expect-error the object form needs a version
tool({ name: "a", description: "d", inputSchema: {}, execute: done });
// An undefined field is as good as none.
tool("a", "d", {}, done, { riskLevel: undefined, timeoutMs: undefined });

// The second parameter, as every way of making a tool gives it.
tool("a", "d", {}, async (_args, context) => {
  expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
  expectTypeOf(context.metadata.taskId).toBeString();
  expectTypeOf(context.artifacts.put).returns.resolves.toEqualTypeOf<ArtifactRef>();
  expectTypeOf(context.callTool).parameters.toEqualTypeOf<[name: string, input: JsonObject]>();
  const called = await context.callTool("b", { n: 1 });
  expectTypeOf(called.isError).toBeBoolean();
  // What another tool gave may be passed on as it is.
  return called;
});

// Every form of schema gives its arguments.
tool("a", "d", toStandardJsonSchema(v.object({ n: v.optional(v.number(), 1), s: v.string() })), (args) => {
  expectTypeOf(args).toEqualTypeOf<{ n: number; s: string }>();
  return done();
});
tool("a", "d", type({ s: "string", "n?": "number" }), (args) => {
  expectTypeOf(args).toEqualTypeOf<{ s: string; n?: number }>();
  return done();
});
tool("a", "d", z3.object({ s: z3.string(), n: z3.number().default(1) }), (args) => {
  expectTypeOf(args).toEqualTypeOf<{ s: string; n: number }>();
  return done();
});
tool("a", "d", { s: z3.string(), n: z3.number().optional() }, (args) => {
  expectTypeOf(args).toEqualTypeOf<{ s: string; n?: number | undefined }>();
  return done();
});
tool("a", "d", { s: describe("string", "text"), l: ["integer"], o: { deep: "boolean?" } }, (args) => {
  expectTypeOf(args).toEqualTypeOf<{ s: string; l: number[]; o: { deep?: boolean } }>();
  return done();
});

// What no handler may return.
// @ts-expect-error a number
tool("a", "d", {}, () => 5);
// @ts-expect-error a list
tool("a", "d", {}, () => [{ type: "text", text: "x" }]);
// @ts-expect-error a block of an unknown type
tool("a", "d", {}, () => ({ content: [{ type: "hologram" }] }));
// @ts-expect-error a block without its field
tool("a", "d", {}, () => ({ content: [{ type: "text" }] }));
// @ts-expect-error a promise of nothing
tool("a", "d", {}, async () => undefined);
// @ts-expect-error an image that is a path
tool("a", "d", {}, () => ({ success: true, images: ["a.png"] }));
// @ts-expect-error an argument that the schema does not have
tool("a", "d", { s: "string" }, ({ t }) => ({ success: true, output: t }));
// @ts-expect-error the level is of the three, for functions too
tool("a", "d", {}, done, { riskLevel: () => "severe" });
// @ts-expect-error a hint that does not exist
tool("a", "d", {}, done, { annotations: { readonlyHint: true } });
// @ts-expect-error the object form takes no unknown field either
tool({ name: "a", description: "d", version: "1.0.0", inputSchema: {}, execute: done, rskLevel: "low" });
