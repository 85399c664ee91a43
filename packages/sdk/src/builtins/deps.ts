import type { Platform } from "../platform/index.ts";
import { CastellanError, type ToolServices } from "../protocol/index.ts";

/** What the built-in tools are made from. */
export interface BuiltinDeps {
  readonly platform: Platform;
  /** Decides which tools exist: one whose service is missing is left out. Calls use the services of their context. */
  readonly services: ToolServices;
  /** The ripgrep program. Absent: that of the package `@vscode/ripgrep` if it is installed. `false`: none. */
  readonly ripgrep?: string | false;
}

/** A service that a mounted tool cannot do without. */
export function need<K extends keyof ToolServices>(
  services: ToolServices,
  name: K,
): NonNullable<ToolServices[K]> {
  const service = services[name];
  if (service === undefined || service === null) {
    throw new CastellanError("internal", `The service "${name}" is missing from the context of this call.`, {
      subject: name,
      fix: "Leave the tool out where its service does not exist.",
    });
  }
  return service;
}
