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

function neverCalled(): never {
  throw new CastellanError("internal", "A dry run calls no tool.");
}
