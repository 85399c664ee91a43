import { builtinTools, declaredTools } from "../../builtins/index.ts";
import type { Platform } from "../../platform/index.ts";
import { CastellanError, type ToolDefinition } from "../../protocol/index.ts";
import { type AnyTool, type Catalogue, catalogueOf, definitionOf } from "../../tools/index.ts";
import { MOUNTING } from "./dry-services.ts";
import { externalTool } from "./external-tool.ts";

/** The tools of dry runs. */
export interface DryTools {
  readonly names: readonly string[];
  /** @param servers keys of servers that are configured. */
  catalogue(servers?: Iterable<string>): Catalogue;
}

/**
 * Every tool that there is: the built-in ones, also those that cannot run here, the program's own, and whatever
 * a server might have. A tool that a bare deny takes out of sight is here too, so that the rule can be named.
 *
 * @throws CastellanError `duplicate_tool`
 */
export async function dryTools(platform: Platform, own: readonly AnyTool[] = []): Promise<DryTools> {
  const running = await builtinTools({ platform, services: MOUNTING });
  const names = new Set(running.map(({ name }) => name));
  const declared = (await declaredTools())
    .filter(({ name }) => !names.has(name))
    .map((facts): ToolDefinition => ({ ...facts, prompt: () => facts.description, call: neverCalled }));
  const catalogue = catalogueOf([
    ...running,
    ...declared,
    ...own.flatMap((tool) => definitionOf(tool) ?? []),
  ]);
  return {
    names: catalogue.visible.map(({ name }) => name),
    catalogue: (servers = []) => ({
      ...catalogue,
      resolve: (name) => catalogue.resolve(name) ?? externalTool(name, servers),
    }),
  };
}

/** What to write instead of the name of a tool that does not exist; undefined for one that does. */
export function toolNameFix(catalogue: Catalogue, name: string): string | undefined {
  if (catalogue.resolve(name) !== undefined) return undefined;
  const near = catalogue.nearest(name);
  return near === undefined ? "Name a built-in tool, or mcp__server__tool." : `Did you mean ${near}?`;
}

function neverCalled(): never {
  throw new CastellanError("internal", "A dry run calls no tool.");
}
