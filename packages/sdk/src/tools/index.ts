export { copyJson, describe, jsonEqual, nearestName } from "../schema/index.ts";
export { definitionOf, isTool } from "./brand.ts";
export { buildTool, MAX_RESULT_CHARS } from "./build-tool.ts";
export type { Catalogue, CatalogueText } from "./catalogue.ts";
export { createCatalogue } from "./catalogue.ts";
export type { CatalogueOptions } from "./catalogue-options.ts";
export { cutAt, cutPoint } from "./cut-text.ts";
export { invokeTool } from "./invoke-tool.ts";
export { BUILTIN_TOOL_NAMES, TOOL_NAME_ALIASES } from "./names.ts";
export type { NormalisedResult } from "./normalise/normalise-result.ts";
export { normaliseResult } from "./normalise/normalise-result.ts";
export { normaliseThrow } from "./normalise/normalise-throw.ts";
export { tool } from "./tool.ts";
export type {
  AnyTool,
  AuthoredAnnotations,
  HandlerContext,
  HandlerResult,
  Tool,
  ToolDraft,
  ToolExtras,
  ToolRef,
  ToolSpec,
} from "./types.ts";
