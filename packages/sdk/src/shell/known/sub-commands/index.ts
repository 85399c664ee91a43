import { byName } from "../../table-text.ts";
import { BUILDERS } from "./builders.ts";
import { CLOUDS } from "./clouds.ts";
import { CLUSTERS } from "./clusters.ts";
import { CONTAINERS } from "./containers.ts";
import type { SubCommandEntry } from "./entry.ts";

/** Programs with sub-commands whose files are known, by their bare name. */
export const SUB_COMMANDS: ReadonlyMap<string, SubCommandEntry> = new Map(
  [BUILDERS, CLOUDS, CLUSTERS, CONTAINERS].flatMap((table) => [...byName(table, (entry) => entry)]),
);
