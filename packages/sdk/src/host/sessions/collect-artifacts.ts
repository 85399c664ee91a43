import { errorText } from "../../protocol/index.ts";
import { addHashes } from "./reachable.ts";
import type { SessionsHost } from "./sessions-host.ts";
import type { PruneReport } from "./types.ts";

/**
 * Deletes the artifacts that no session reaches. One that somebody has put within the grace stays: the event that will
 * name it may not be written yet, in this process or in another that shares the home. Where one log cannot be read,
 * none is deleted, since it may reach any.
 */
export async function collectArtifacts(
  { store, artifacts, isPair, platform }: SessionsHost,
  options: {
    /** Sessions that count as gone. */
    readonly but: ReadonlySet<string>;
    readonly graceMs: number;
    readonly dryRun: boolean;
  },
): Promise<PruneReport["artifacts"]> {
  const none = (skipped: string): PruneReport["artifacts"] => ({ deleted: 0, skipped });
  if (!isPair) return none("Sessions of other stores may use the same artifacts.");
  if (artifacts.evict === undefined) return none("The artifact store cannot tell how old they are.");
  // Before anything is read: what is put from here on is younger.
  const before = platform.clock.now() - options.graceMs;
  const candidates = new Set(await artifacts.list());
  if (candidates.size === 0) return { deleted: 0 };
  const problems: string[] = [];
  const summaries = await store.list({ skipped: (problem) => void problems.push(problem) });
  for (const { sessionId } of summaries) {
    if (options.but.has(sessionId)) continue;
    try {
      const reached = new Set<string>();
      for (const event of await store.read(sessionId)) addHashes(event, reached);
      for (const hash of reached) candidates.delete(hash);
    } catch (error) {
      problems.push(errorText(error));
    }
  }
  const [problem] = problems;
  if (problem !== undefined) return none(`A log cannot be read, and may use any of them. ${problem}`);
  let deleted = 0;
  for (const hash of candidates) {
    if (options.dryRun || (await artifacts.evict(hash, before))) deleted += 1;
  }
  return { deleted };
}
