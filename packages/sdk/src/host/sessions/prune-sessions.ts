import { resolve } from "node:path";
import { errorText } from "../../protocol/index.ts";
import { runningLog } from "../claims.ts";
import { flag, shape, text, wholeNumber } from "../options/checks.ts";
import { type Check, fault } from "../options/fault.ts";
import { checkArgument } from "./check-argument.ts";
import { collectArtifacts } from "./collect-artifacts.ts";
import { deleteSession } from "./delete-session.ts";
import type { SessionsHost } from "./sessions-host.ts";
import type { PruneReport, PruneSessionsOptions } from "./types.ts";

const DAY_MS = 86_400_000;
const GRACE_MS = 3_600_000;

const days: Check = (value) =>
  typeof value === "number" && value >= 0 && Number.isFinite(value)
    ? undefined
    : fault("a number of days, 0 or more", value);

const OPTIONS = shape(
  { olderThanDays: days, keep: wholeNumber(0), project: text, dryRun: flag, artifactGraceMs: wholeNumber(0) },
  "an object with olderThanDays",
  ["olderThanDays"],
);

/** See `Sessions.prune`. */
export async function pruneSessions(host: SessionsHost, options: PruneSessionsOptions): Promise<PruneReport> {
  checkArgument("pruneSessions", "options", options, OPTIONS);
  const { store, platform } = host;
  const { olderThanDays, keep = 0, project, dryRun = false, artifactGraceMs = GRACE_MS } = options;
  const before = platform.clock.now() - olderThanDays * DAY_MS;
  const summaries = await store.list(
    project === undefined ? {} : { project: resolve(platform.cwd(), project) },
  );
  const old = summaries.slice(keep).filter(({ updatedAt }) => updatedAt < before);
  const waiting = await waitingIn(host, old.length > 0);
  const deleted: string[] = [];
  const left: { sessionId: string; reason: string }[] = [];
  for (const { sessionId } of old) {
    const reason = (await waiting(sessionId)) ?? (await take(host, sessionId, dryRun));
    if (reason === undefined) deleted.push(sessionId);
    else left.push({ sessionId, reason });
  }
  const collected = { but: new Set(dryRun ? deleted : []), graceMs: artifactGraceMs, dryRun };
  return { deleted, left, artifacts: await collectArtifacts(host, collected) };
}

/** Tells what a session waits for that does not run: whoever answers finds it there. */
async function waitingIn(
  { ports: { approvals, wakes } }: SessionsHost,
  isAsked: boolean,
): Promise<(sessionId: string) => Promise<string | undefined>> {
  let problem: string | undefined;
  const skipped = (why: string): void => {
    problem ??= `An approval cannot be read, and may be one of it. ${why}`;
  };
  const open = isAsked ? ((await approvals?.list({ status: "pending", skipped })) ?? []) : [];
  const asked = new Set(open.map(({ sessionId }) => sessionId));
  return async (sessionId) => {
    if (asked.has(sessionId)) return "It waits for an approval.";
    if (problem !== undefined) return problem;
    try {
      return ((await wakes?.list(sessionId)) ?? []).length > 0 ? "It waits to be woken." : undefined;
    } catch (error) {
      return errorText(error);
    }
  };
}

/** Undefined: it is gone, or would be. */
async function take(host: SessionsHost, sessionId: string, dryRun: boolean): Promise<string | undefined> {
  const { store } = host;
  try {
    const isBusy = runningLog(store, sessionId) !== undefined || (await store.isBusy?.(sessionId)) === true;
    if (isBusy) return "It runs.";
    if (!dryRun) await deleteSession(host, sessionId);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
