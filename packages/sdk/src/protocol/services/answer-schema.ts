import type { JsonSchema } from "../json.ts";

/** The shape that the session's answer must have. */
export interface AnswerSchema {
  readonly schema: JsonSchema;
}
