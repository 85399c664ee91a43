import type { SettingsFinding, SettingsLayer } from "../types.ts";

/** What of a project's file does not count until its workspace is trusted; nothing where all of it counts. */
export function untrusted({ source, file, settings }: SettingsLayer): SettingsFinding[] {
  const { permissions = {}, env, model, hooks, mcpServers } = settings;
  const { allow = [], rules = [], additionalDirectories = [], defaultMode } = permissions;
  const allows = allow.length + rules.filter(({ behavior }) => behavior === "allow").length;
  const parts = [
    counted(allows, "allow rule"),
    counted(additionalDirectories.length, "directory", "directories"),
    defaultMode === undefined ? undefined : `the mode ${defaultMode}`,
    model === undefined ? undefined : "the model",
    env === undefined ? undefined : counted(Object.keys(env).length, "variable"),
    isEmpty(hooks) ? undefined : "the hooks",
    isEmpty(mcpServers) ? undefined : "the MCP servers",
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return [];
  return [
    {
      code: "not-trusted",
      severity: "warning",
      source,
      file,
      message: `Until this workspace is trusted its files only tighten. Not counted: ${parts.join(", ")}.`,
      fix: "If you trust what is in it, run `castellan trust` there, or set trustWorkspace: true.",
    },
  ];
}

function counted(count: number, one: string, many = `${one}s`): string | undefined {
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? one : many}`;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0)
  );
}
