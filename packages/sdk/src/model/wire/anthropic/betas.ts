import type { ModelRequest } from "../../port.ts";
import type { AnthropicTraits } from "./traits.ts";

/** `anthropic-beta`, only for what this request uses and this model has not by itself. */
export function betaHeaders(
  request: ModelRequest,
  traits: AnthropicTraits,
): Readonly<Record<string, string>> {
  const betas: string[] = [];
  const asksToThink = request.thinking !== undefined && request.thinking.type !== "disabled";
  if (asksToThink && traits.interleavedHeader && request.tools.length > 0) {
    betas.push("interleaved-thinking-2025-05-14");
  }
  if (request.effort !== undefined && traits.effort && !traits.highEfforts) betas.push("effort-2025-11-24");
  if (request.tools.some((tool) => tool.deferred === true)) betas.push("advanced-tool-use-2025-11-20");
  const version = { "anthropic-version": "2023-06-01" };
  return betas.length === 0 ? version : { ...version, "anthropic-beta": betas.join(",") };
}
