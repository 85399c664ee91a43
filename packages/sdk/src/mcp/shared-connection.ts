import type { McpServerLike, McpTransport } from "../protocol/index.ts";
import { type Connected, connect } from "./handshake.ts";
import { memoryPair } from "./memory-pair.ts";

interface Entry {
  users: number;
  readonly transport: McpTransport;
  readonly connected: Promise<Connected>;
}

/** A share in the one connection of an instance. */
export interface Share {
  readonly connected: Promise<Connected>;
  /** Gives the share back; with the last one the connection is closed. Idempotent. */
  release(): Promise<void>;
}

const entries = new WeakMap<object, Entry>();

/**
 * The one connection to a server object, made at the first call and shared by all that hold a share: such a
 * server serves one transport at a time. What several sessions send is told apart by the ids of their requests.
 */
export function shareConnection(instance: McpServerLike, release: string): Share {
  const entry = entries.get(instance) ?? open(instance, release);
  entry.users += 1;
  let held = true;
  return {
    connected: entry.connected,
    async release() {
      if (!held) return;
      held = false;
      entry.users -= 1;
      if (entry.users > 0) return;
      forget(instance, entry);
      await entry.transport.close();
    },
  };
}

function open(instance: McpServerLike, release: string): Entry {
  const [ours, theirs] = memoryPair();
  const connected = (async () => {
    // The server is first in line on its transport before it is spoken to.
    await instance.connect(theirs as never);
    return connect(ours, release, () => forget(instance, entry));
  })();
  const entry: Entry = { users: 0, transport: ours, connected };
  entries.set(instance, entry);
  connected.catch(() => forget(instance, entry));
  return entry;
}

/** The next session that comes connects anew. */
function forget(instance: object, entry: Entry): void {
  if (entries.get(instance) === entry) entries.delete(instance);
}
