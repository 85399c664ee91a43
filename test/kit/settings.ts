import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodePlatform, type Options } from "@castellan/sdk";
import { type Outcome, once, run, scratch } from "./session.ts";

/** A home, a project and a machine's policy of one test. */
export interface SettingsPlace {
  readonly home: string;
  readonly cwd: string;
  /** A home of its own, and `/etc/castellan` in a scratch folder. */
  platform(): NonNullable<Options["platform"]>;
  /** Each gives the path of the file that it writes. */
  inUser(value: unknown): string;
  inProject(value: unknown, folder?: string): string;
  inLocal(value: unknown): string;
  inPolicy(value: unknown): string;
  /** Runs a session that reads all settings files, unless the options say otherwise. */
  go(turns: Parameters<typeof run>[0], options?: Options): Promise<Outcome>;
}

export function settingsPlace(): SettingsPlace {
  const [home, cwd, machine] = [scratch(), scratch(), scratch()];
  mkdirSync(join(cwd, ".castellan"));
  const { fs } = nodePlatform();
  const moved = (path: unknown): unknown =>
    typeof path === "string" && path.startsWith("/etc/castellan")
      ? path.replace("/etc/castellan", machine)
      : path;
  const calls = Object.entries(fs).map(([name, call]) => [
    name,
    (path: unknown, ...rest: unknown[]) => (call as (...args: unknown[]) => unknown)(moved(path), ...rest),
  ]);
  const platform = () => ({ homedir: () => home, fs: Object.fromEntries(calls) });
  return {
    home,
    cwd,
    platform,
    inUser: (value) => put(join(home, ".castellan/settings.json"), value),
    inProject: (value, folder = ".castellan") => put(join(cwd, folder, "settings.json"), value),
    inLocal: (value) => put(join(cwd, ".castellan/settings.local.json"), value),
    inPolicy: (value) => put(join(machine, "managed-settings.json"), value),
    go: (turns, options = {}) => run(turns, { cwd, platform: platform(), settingSources: ALL, ...options }),
  };
}

export const ALL: NonNullable<Options["settingSources"]> = ["user", "project", "local"];

/** Writes a file: text as it is, all else as JSON. */
export function put(file: string, value: unknown): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
}

export const bash = (command: string) => once("Bash", { command });

/** What a session told its reader beside messages. */
export const notes = ({ messages }: Outcome): string[] =>
  messages.flatMap((message) =>
    message.type === "system" && message.subtype === "notification"
      ? [`${message.level}: ${message.message}`]
      : [],
  );

export const denials = ({ result }: Outcome): number => result.permission_denials.length;
