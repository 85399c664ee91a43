export { copyJson, describe, jsonEqual, nearestName } from "../schema/index.ts";
export { definitionOf, isTool } from "./brand.ts";
export { buildTool, MAX_RESULT_CHARS } from "./build-tool.ts";
export type { Catalogue, CatalogueText } from "./catalogue.ts";
export { catalogueOf, createCatalogue } from "./catalogue.ts";
export type { CatalogueOptions } from "./catalogue-options.ts";
export { cutAt, cutPoint } from "./cut-text.ts";
export { invokeTool } from "./invoke-tool.ts";
export type { MountedTool } from "./mounted-tool.ts";
export { mountedBuiltin } from "./mounted-tool.ts";
export { BUILTIN_TOOL_NAMES, TOOL_NAME_ALIASES } from "./names.ts";
export { checkOutput } from "./normalise/check-output.ts";
export type { NormalisedResult } from "./normalise/normalise-result.ts";
export { normaliseResult } from "./normalise/normalise-result.ts";
export { normaliseThrow } from "./normalise/normalise-throw.ts";
export { isServerInstance } from "./servers/brand.ts";
export { createServer } from "./servers/create-server.ts";
export { mountServer } from "./servers/mount.ts";
export { fullName, mcpToolNames } from "./servers/names.ts";
export type {
  McpServerConfig,
  SdkMcpServer,
  SdkMcpServerInstance,
  SdkMcpServerOptions,
} from "./servers/types.ts";
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
export { chooseTools, isNamedBy } from "./visible.ts";
