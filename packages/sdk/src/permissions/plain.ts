import type { PermissionContext } from "../protocol/index.ts";
import type { ToolFacts } from "./call.ts";

/** The facts of a tool that says nothing of itself. */
export function plainTool(name: string, over: Partial<ToolFacts> = {}): ToolFacts {
  return {
    name,
    aliases: [],
    source: "builtin",
    readOnly: false,
    destructive: false,
    openWorld: false,
    requiresUser: false,
    hasCheck: false,
    riskLevel: "high",
    allowedInPlan: false,
    allowedByItself: false,
    ...over,
  };
}

/** A trusted folder in the default mode, without links and without rules. */
export function plainContext(
  startDirectory: string,
  home: string,
  over: Partial<PermissionContext> = {},
): PermissionContext {
  return {
    mode: "default",
    startDirectory,
    startDirectoryReal: startDirectory,
    projectRoot: startDirectory,
    home,
    additionalDirectories: new Map(),
    rules: [],
    isBypassAvailable: false,
    planMode: "ceiling",
    avoidPrompts: false,
    trusted: true,
    caseInsensitiveFiles: false,
    ...over,
  };
}
