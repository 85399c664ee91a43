import type { OutputRule } from "../../loop/index.ts";
import type { AnswerSchema } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { compileSchema } from "../../schema/index.ts";
import type { Options } from "../options/types.ts";

/** The tool that takes an answer as data. */
export const OUTPUT_TOOL = "StructuredOutput";

/** What `outputFormat` comes to: the schema for the tool, and the rule for the loop. */
export interface OutputFormat {
  readonly answer: AnswerSchema;
  readonly rule: OutputRule;
}

/**
 * The tool of the format must be there; a rule that denies it by name takes it away.
 *
 * @param names the tools that the model sees.
 * @throws CastellanError `invalid_option`
 */
export function checkOutputTool(format: OutputFormat | undefined, names: readonly string[]): void {
  if (format === undefined || names.includes(OUTPUT_TOOL)) return;
  throw new CastellanError(
    "invalid_option",
    `options.outputFormat gets its answer through the tool ${OUTPUT_TOOL}, which a rule denies.`,
    { subject: "outputFormat", fix: `Remove the deny rule for ${OUTPUT_TOOL}, or outputFormat.` },
  );
}

/** @throws CastellanError `invalid_schema`; the options' check has looked before. */
export function outputFormatOf(option: Options["outputFormat"]): OutputFormat | undefined {
  if (option === undefined) return undefined;
  const compiled = compileSchema(option.schema, { tool: OUTPUT_TOOL });
  return {
    answer: { schema: compiled.jsonSchema },
    rule: { toolName: OUTPUT_TOOL, parse: (value) => compiled.parse(value) },
  };
}
