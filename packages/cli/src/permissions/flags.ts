import type { CheckOptions, PolicyFinding } from "@castellan/sdk/permissions";
import { printable } from "../terminal/safe-text.ts";

/** The flags that say under what a call is judged, as commander gives them. */
export interface PolicyFlags {
  readonly settings?: readonly string[];
  readonly mode?: string;
  readonly cwd?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly addDir?: readonly string[];
  readonly trustWorkspace?: boolean;
  readonly json?: boolean;
}

/** What a run in this folder would read; files that are named take the place of those of user and project. */
export function checkOptions(flags: PolicyFlags): CheckOptions {
  return {
    ...(flags.settings === undefined
      ? { settingSources: ["user", "project", "local"], compat: ["claude", "qoder"] }
      : { settings: flags.settings }),
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
  const what = rule ?? key;
  const parts = [severity, place, ...(what === undefined ? [] : [what]), message];
  return printable(`${parts.join(": ")}${fix === undefined ? "" : ` ${fix}`}`);
}
