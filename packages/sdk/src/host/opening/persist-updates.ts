import type { Platform } from "../../platform/index.ts";
import { errorText, type PermissionUpdate } from "../../protocol/index.ts";
import type { SessionSettings } from "./settings-parts.ts";

type Persist = (updates: readonly PermissionUpdate[]) => Promise<readonly PermissionUpdate[]>;

/**
 * Writes what a person wants remembered into settings files, before it counts. What cannot be written is told as an
 * error and counts for this session alone: the person has said yes.
 */
export function persistUpdates({
  platform,
  settings,
  notify,
}: {
  readonly platform: Platform;
  readonly settings: Pick<SessionSettings, "projectRoot" | "trusted">;
  notify(level: "warning" | "error", message: string): void;
}): Persist {
  const { projectRoot, trusted } = settings;
  const places = { home: platform.homedir(), projectRoot };
  let told = trusted;
  return async (updates) => {
    try {
      const { writeUpdates } = await import("./write-settings.ts");
      await writeUpdates(platform, places, updates);
    } catch (error) {
      notify("error", `${errorText(error)} What was to be remembered there holds for this session alone.`);
      return updates.map((update) => (IN_MEMORY.has(update.destination) ? update : inSession(update)));
    }
    if (!told && updates.some(loosensProject)) {
      told = true;
      notify(
        "warning",
        "What was remembered in the project's files will not count in later sessions until this workspace is trusted (castellan trust).",
      );
    }
    return updates;
  };
}

const IN_MEMORY: ReadonlySet<string> = new Set(["session", "cliArg"]);

/** What is taken out is taken out of what was read; what replaces must not replace what the session was granted. */
function inSession(update: PermissionUpdate): PermissionUpdate {
  if (update.type === "removeRules" || update.type === "removeDirectories") return update;
  if (update.type === "replaceRules") return { ...update, type: "addRules", destination: "session" };
  return { ...update, destination: "session" };
}

function loosensProject(update: PermissionUpdate): boolean {
  if (update.destination !== "localSettings" && update.destination !== "projectSettings") return false;
  return update.type !== "removeRules" && !("behavior" in update && update.behavior !== "allow");
}
