import type { BuiltinContext, JsonSchema, RiskLevel } from "../protocol/index.ts";
import type { InferInput, SchemaForm } from "../schema/index.ts";
import { bindDefinition } from "./brand.ts";
import { buildTool, EXTRA_FIELDS } from "./build-tool.ts";
import { readFields } from "./fields.ts";
import { handlerContext } from "./handler-context.ts";
import { toolFault } from "./tool-fault.ts";
import type {
  HandlerContext,
  HandlerResult,
  Tool,
  ToolDraft,
  ToolExtras,
  ToolRef,
  ToolSpec,
} from "./types.ts";

type Handler<Args> = (args: Args, context: HandlerContext) => HandlerResult | Promise<HandlerResult>;

const EXTRAS: ReadonlySet<string> = new Set(EXTRA_FIELDS);
const SPEC: ReadonlySet<string> = new Set([
  ...EXTRA_FIELDS,
  "name",
  "description",
  "inputSchema",
  "execute",
  "handler",
]);

/**
 * Makes a tool out of a name, a description, a schema and a handler.
 *
 * The schema may be a shorthand map (`{ city: "string", days: "integer?" }`), a Zod shape or object, another
 * Standard Schema that gives JSON Schema, or a JSON Schema. Every call is validated against it before the
 * handler runs, and the handler's first argument has its type. The handler gives back
 * `{ content: [{ type: "text", text }] }` or `{ success: true, output }`; what it throws reaches the model as an
 * error, and the run goes on.
 *
 * @throws CastellanError `invalid_tool` or `invalid_schema` that names the tool, the field and the fix.
 */
export function tool<const Form extends SchemaForm>(
  name: string,
  description: string,
  inputSchema: Form,
  handler: Handler<InferInput<Form>>,
  extras?: ToolExtras<InferInput<Form>>,
): Tool<InferInput<Form>>;
/** Makes a tool out of one object, with `execute` as its handler. Name, version, description and schema are required. */
export function tool<const Form extends SchemaForm>(
  spec: ToolSpec<Form, InferInput<Form>>,
): Tool<InferInput<Form>>;
export function tool(
  first: unknown,
  description?: unknown,
  inputSchema?: unknown,
  handler?: unknown,
  extras?: unknown,
): Tool<never> {
  if (typeof first === "object" && first !== null) return fromSpec(first as { [key: string]: unknown });
  if (first === undefined) {
    throw toolFault(first, "name", "it is missing.", "Write tool(name, description, inputSchema, handler).");
  }
  if (typeof extras !== "undefined" && (typeof extras !== "object" || extras === null)) {
    throw toolFault(
      first,
      "extras",
      "the fifth argument is no object.",
      "Write { riskLevel: …, annotations: … }.",
    );
  }
  const fields = readFields({ ...(extras as object | undefined) }, EXTRAS, first);
  return make({ ...fields, name: first, description, inputSchema }, "handler", handler);
}

function fromSpec(spec: { readonly [key: string]: unknown }): Tool<never> {
  const { execute, handler, ...rest } = readFields(spec, SPEC, spec.name);
  if (execute !== undefined && handler !== undefined) {
    throw toolFault(spec.name, "handler", "execute and handler are both given.", "Keep execute.");
  }
  if (rest.version === undefined) {
    throw toolFault(spec.name, "version", "it is missing.", 'Write version: "1.0.0".');
  }
  return make(rest, "execute", execute ?? handler);
}

function make(fields: { readonly [key: string]: unknown }, called: string, handler: unknown): Tool<never> {
  if (typeof handler !== "function") {
    const why = handler === undefined ? "it is missing." : "it is no function.";
    throw toolFault(fields.name, called, why, `Give a function of (args, context) as ${called}.`);
  }
  const run = handler as Handler<never>;
  const draft: object = {
    ...fields,
    call: (input: never, context: BuiltinContext) => run(input, handlerContext(context)),
  };
  const definition = buildTool(draft as ToolDraft<JsonSchema>);
  const { riskLevel } = fields;
  const level: RiskLevel = typeof riskLevel === "string" ? (riskLevel as RiskLevel) : "high";
  const ref: ToolRef = Object.freeze({
    name: definition.name,
    version: definition.version,
    riskLevel: level,
  });
  const limit = limitGiven(fields);
  const made: Tool<never> = {
    ...ref,
    description: definition.description,
    inputSchema: definition.inputSchema,
    annotations: definition.annotations,
    ref,
    ...(limit ? { _meta: { "anthropic/maxResultSizeChars": definition.maxResultSizeChars } } : {}),
    handler: run,
  };
  bindDefinition(made, definition);
  return Object.freeze(made);
}

function limitGiven(fields: { readonly [key: string]: unknown }): boolean {
  const annotations = fields.annotations as { readonly maxResultSizeChars?: number } | undefined;
  return fields.maxResultSizeChars !== undefined || annotations?.maxResultSizeChars !== undefined;
}
