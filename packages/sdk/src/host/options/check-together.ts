import { OUTPUT_TOOL } from "../opening/output-format.ts";
import { approvalsSetting } from "./approvals.ts";
import { badOption, shown } from "./fault.ts";
import { checkServers } from "./mcp-servers.ts";
import type { Options } from "./types.ts";

/** Pairs that contradict each other, and what to do about it. */
const PAIRS: readonly (readonly [first: keyof Options, second: keyof Options, fix: string])[] = [
  ["resume", "continue", "Give the id to resume, or continue the newest session, not both."],
  ["resume", "sessionId", "A resumed session keeps its id: leave sessionId out."],
  ["continue", "sessionId", "A continued session keeps its id: leave sessionId out."],
  ["persistSession", "resume", "A session in memory has nothing to resume: leave one of them out."],
  ["persistSession", "continue", "A session in memory has nothing to continue: leave one of them out."],
  ["persistSession", "sessionStore", "Leave persistSession out, or the store."],
];

/**
 * What does not go together.
 *
 * @throws CastellanError `invalid_option` naming both options, their values and the fix.
 */
export function checkTogether(options: Options): void {
  checkBypass(options);
  checkServers(options);
  for (const [first, second, fix] of PAIRS) {
    if (!says(options, first) || !says(options, second)) continue;
    // A fork is a new session: its id may be chosen.
    const isFork = options.forkSession === true || options.resumeSessionAt !== undefined;
    if (second === "sessionId" && isFork) continue;
    const both = `options.${first} (${shown(options[first])}) and options.${second} (${shown(options[second])})`;
    throw badOption(second, `${both} do not go together.`, fix);
  }
  if (options.forkSession === true && options.resume === undefined && options.continue !== true) {
    throw badOption(
      "forkSession",
      "options.forkSession is true, but there is no session to fork.",
      "Name one with resume, or take the newest with continue.",
    );
  }
  if (options.resumeSessionAt !== undefined && options.resume === undefined && options.continue !== true) {
    throw badOption(
      "resumeSessionAt",
      `options.resumeSessionAt is ${shown(options.resumeSessionAt)}, but there is no session to go on with.`,
      "Name one with resume, or take the newest with continue.",
    );
  }
  checkApprovals(options);
  if (options.outputFormat !== undefined && options.disallowedTools?.includes(OUTPUT_TOOL) === true) {
    throw badOption(
      "disallowedTools",
      `options.disallowedTools names ${OUTPUT_TOOL}, through which options.outputFormat gets its answer.`,
      "Leave one of them out.",
    );
  }
  for (const key of ["canUseToolScope", "canUseToolTimeoutMs"] as const) {
    if (options[key] === undefined || options.canUseTool !== undefined) continue;
    throw badOption(
      key,
      `options.${key} is ${shown(options[key])}, but there is no options.canUseTool.`,
      `Add canUseTool, or remove ${key}.`,
    );
  }
}

function checkApprovals(options: Options): void {
  const { mode, onPending } = approvalsSetting(options.approvals);
  if (mode === "durable" && options.canUseTool !== undefined) {
    throw badOption(
      "approvals",
      "options.approvals is durable, and there is an options.canUseTool: both would be asked.",
      "Leave one of them out; a program decides in the inbox with host.approvals.",
    );
  }
  if (onPending === "pause" && options.persistSession === false) {
    throw badOption(
      "approvals",
      "options.approvals pauses, and with persistSession: false nobody can go on with the session.",
      'Leave persistSession out, or set onPending to "wait".',
    );
  }
}

/** Persisting is the default, so it is `false` that says something; elsewhere `false` says nothing. */
function says(options: Options, key: keyof Options): boolean {
  const value = options[key];
  return key === "persistSession" ? value === false : value !== undefined && value !== false;
}

/** A file is read when the session opens, and its mode is checked then. */
function modeOf(settings: Options["settings"]): string | undefined {
  return typeof settings === "object" ? settings.permissions?.defaultMode : undefined;
}

function checkBypass(options: Options): void {
  if (options.allowDangerouslySkipPermissions === true) return;
  const asked = [
    ["permissionMode", options.permissionMode],
    ["settings.permissions.defaultMode", modeOf(options.settings)],
  ] as const;
  for (const [place, mode] of asked) {
    if (mode !== "bypassPermissions" && mode !== "yolo") continue;
    throw badOption(
      "permissionMode",
      `options.${place} is ${shown(mode)}, which runs every call without asking.`,
      "Set allowDangerouslySkipPermissions: true beside it, or choose another mode.",
    );
  }
}
