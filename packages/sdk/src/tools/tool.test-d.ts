import { expectTypeOf } from "vitest";
import { z } from "zod";
import type { BuiltinContext, JsonObject, JsonSchema, ToolDefinition } from "../protocol/index.ts";
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
