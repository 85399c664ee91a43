import type { SessionsHost } from "./sessions-host.ts";
import type { Sessions } from "./types.ts";

/**
 * The session functions over a store. Their code is loaded when one is first asked for.
 *
 * @param mustBeOpen throws where its host is closed.
 */
export function sessionsOf(host: SessionsHost, mustBeOpen: () => void = () => {}): Sessions {
  const load = (): Promise<typeof import("./index.ts")> => {
    mustBeOpen();
    return import("./index.ts");
  };
  return {
    list: async (options) => (await load()).listSessions(host, options),
    info: async (sessionId) => (await load()).sessionInfo(host, sessionId),
    messages: async (sessionId, options) => (await load()).sessionMessages(host, sessionId, options),
    rename: async (sessionId, title) => (await load()).renameSession(host, sessionId, title),
    tag: async (sessionId, tags) => (await load()).tagSession(host, sessionId, tags),
    delete: async (sessionId) => (await load()).deleteSession(host, sessionId),
    fork: async (sessionId, options) => (await load()).forkSession(host, sessionId, options),
    async *export(sessionId, options) {
      yield* (await load()).exportSession(host, sessionId, options);
    },
    import: async (source, options) => {
      heed(source);
      return (await load()).importSession(host, source, options);
    },
    prune: async (options) => (await load()).pruneSessions(host, options),
  };
}

/** A stream may fail before anybody reads it, and would end the process. Whoever reads it is told then. */
function heed(source: unknown): void {
  const stream = source as { once?: unknown } | null | undefined;
  if (typeof stream?.once === "function") stream.once("error", () => {});
}
