import type { CheckOptions, PolicyFinding } from "@castellan/sdk/permissions";
import { withoutProgramFixes } from "../run/options.ts";
import { settingsFlag } from "../run/settings-flag.ts";
import { printable } from "../terminal/safe-text.ts";

/** The flags that say under what a call is judged, as commander gives them. */
export interface PolicyFlags {
  /** Each a file, or settings as JSON. */
  readonly settings?: readonly string[];
  readonly mode?: string;
  readonly cwd?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly addDir?: readonly string[];
  readonly trustWorkspace?: boolean;
  readonly json?: boolean;
}

/**
 * What a run in this folder would read; settings that are given take the place of the files of user and project.
 *
 * @throws Fault (usage) for settings that begin as JSON and are none
 */
export function checkOptions(flags: PolicyFlags): CheckOptions {
  return {
    ...(flags.settings === undefined
      ? { settingSources: ["user", "project", "local"], compat: ["claude", "qoder"] }
      : { settings: flags.settings.map((each) => settingsFlag(each).settings ?? each) }),
    ...(flags.mode === undefined ? {} : { mode: flags.mode as NonNullable<CheckOptions["mode"]> }),
    ...(flags.cwd === undefined ? {} : { cwd: flags.cwd }),
    ...(flags.allow === undefined ? {} : { allowedTools: flags.allow }),
    ...(flags.deny === undefined ? {} : { disallowedTools: flags.deny }),
    ...(flags.addDir === undefined ? {} : { additionalDirectories: flags.addDir }),
    ...(flags.trustWorkspace === true ? { trusted: true } : {}),
  };
}

/** Says on standard error what is wrong with settings and rules. */
export function tellFinding(finding: PolicyFinding): void {
  process.stderr.write(`castellan: ${findingText(finding)}\n`);
}

/** `warning: .castellan/settings.json, line 3: Bash(do): …` */
export function findingText({
  severity,
  source,
  file,
  position,
  rule,
  key,
  message,
  fix,
}: PolicyFinding): string {
  const unit = file !== undefined && /[/\\]|\.json$/.test(file) ? "line" : "entry";
  const place = [file ?? source, ...(position === undefined ? [] : [`${unit} ${position}`])].join(", ");
  const parts = [severity, place, ...(rule === undefined ? keyBefore(key, message) : [rule]), message];
  return printable(withoutProgramFixes(`${parts.join(": ")}${fix === undefined ? "" : ` ${fix}`}`));
}

/** The key that a message is about, unless the message begins with it. */
export function keyBefore(key: string | undefined, message: string): string[] {
  return key === undefined || key === "" || message.startsWith(`${key} `) ? [] : [key];
}
