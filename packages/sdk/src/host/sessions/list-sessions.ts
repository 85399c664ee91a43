import { resolve } from "node:path";
import type { SessionSummary } from "../../protocol/index.ts";
import { shape, text, textList, wholeNumber } from "../options/checks.ts";
import { checkArgument } from "./check-argument.ts";
import { readInfo, unreadableInfo } from "./read-info.ts";
import type { SessionsHost } from "./sessions-host.ts";
import type { ListSessionsOptions, SessionInfo } from "./types.ts";

/** Sessions whose logs are read at a time. */
const AT_ONCE = 4;

const OPTIONS = shape({ project: text, tags: textList, limit: wholeNumber(0) }, "an object");

/** See `Sessions.list`. */
export async function listSessions(
  host: SessionsHost,
  options: ListSessionsOptions = {},
): Promise<readonly SessionInfo[]> {
  checkArgument("listSessions", "options", options, OPTIONS);
  const { project, tags = [], limit = Number.POSITIVE_INFINITY } = options;
  const bad: SessionInfo[] = [];
  const summaries = await host.store.list({
    ...(project === undefined ? {} : { project: resolve(host.platform.cwd(), project) }),
    ...(tags.length > 0 || limit === Number.POSITIVE_INFINITY ? {} : { limit }),
    skipped: (problem, sessionId) => void bad.push(unreadableInfo(host.store, sessionId ?? "", problem)),
  });
  const good: SessionInfo[] = [];
  // In batches, since with tags nobody knows beforehand how many must be read.
  for (let at = 0; at < summaries.length && good.length < limit; at += AT_ONCE) {
    const infos = await Promise.all(
      summaries.slice(at, at + AT_ONCE).map((summary) => readInfo(host, summary)),
    );
    for (const info of infos) {
      if (info.status === "unreadable") bad.push(info);
      else if (good.length < limit && tags.every((tag) => info.tags.includes(tag))) good.push(info);
    }
  }
  return [...good, ...bad];
}

/** See `Sessions.info`. */
export async function sessionInfo(host: SessionsHost, sessionId: string): Promise<SessionInfo | undefined> {
  checkArgument("getSessionInfo", "sessionId", sessionId, text);
  let problem: string | undefined;
  const skipped = (text: string, id?: string): void => {
    if (id === sessionId) problem = text;
  };
  const summaries = await host.store.list({ skipped });
  const summary: SessionSummary | undefined = summaries.find((each) => each.sessionId === sessionId);
  if (summary !== undefined) return readInfo(host, summary);
  return problem === undefined ? undefined : unreadableInfo(host.store, sessionId, problem);
}
