import type { ToolDefinition } from "../protocol/index.ts";
import { type AnyTool, definitionOf } from "../tools/index.ts";

/** A tool as `tools/list` tells of it: equal tools give equal bytes. */
export function listing(tool: AnyTool, tools: ReadonlyMap<string, ToolDefinition>): readonly object[] {
  const definition = definitionOf(tool);
  if (definition === undefined || !definition.isEnabled()) return [];
  const { name, title = definition.annotations.title, outputSchema, searchHint, alwaysLoad } = definition;
  const limit = "_meta" in tool ? tool._meta?.["anthropic/maxResultSizeChars"] : undefined;
  const meta = {
    ...(limit === undefined ? {} : { "anthropic/maxResultSizeChars": limit }),
    ...(searchHint === undefined ? {} : { "anthropic/searchHint": searchHint }),
    ...(alwaysLoad ? { "anthropic/alwaysLoad": true } : {}),
  };
  return [
    {
      name,
      ...(title === undefined ? {} : { title }),
      description: definition.prompt({ cwd: "/", toolNames: new Set(tools.keys()) }),
      inputSchema: definition.inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      annotations: { ...definition.annotations },
      ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
    },
  ];
}
