import { join } from "node:path";
import type { Platform } from "../../../platform/index.ts";
import type { Wake, WakeStore } from "../../../protocol/index.ts";
import { checkWake, isSafeId } from "../check-ports.ts";
import { earliestFirst } from "../shown-wakes.ts";
import { recordFiles } from "./record-files.ts";

const NAME = /^(\d{16})\.([A-Za-z0-9_-]+)\.json$/;

/** Wakes as files: `wakes/<at, 16 digits>.<id>.json`, so that a look at the folder tells which are due. */
export function fileWakes(platform: Pick<Platform, "fs" | "ids">, home: string): WakeStore {
  const files = recordFiles(platform, join(home, "wakes"));

  async function entries(): Promise<{ name: string; at: number; id: string }[]> {
    return (await files.names()).flatMap((name) => {
      const [, at, id] = NAME.exec(name) ?? [];
      return id === undefined ? [] : [{ name, at: Number(at), id }];
    });
  }

  /** Without those that were removed meanwhile. */
  async function read(names: readonly { name: string }[]): Promise<Wake[]> {
    const wakes: Wake[] = [];
    for (const { name } of names) {
      const record = await files.read(name);
      if (record !== undefined) wakes.push(record as unknown as Wake);
    }
    return wakes;
  }

  async function removeAll(id: string, but?: string): Promise<boolean> {
    let was = false;
    for (const entry of await entries()) {
      if (entry.id === id && entry.name !== but) was = (await files.remove(entry.name)) || was;
    }
    return was;
  }

  return {
    async put(wake) {
      checkWake(wake);
      const name = `${String(wake.at).padStart(16, "0")}.${wake.id}.json`;
      // The new one first: who dies in between wakes twice, never not at all.
      await files.write(name, wake);
      await removeAll(wake.id, name);
    },
    async due(now, limit) {
      const due = (await entries()).filter(({ at }) => at <= now).sort(earliestFirst);
      return read(due.slice(0, Math.max(0, limit)));
    },
    async remove(id) {
      return isSafeId(id) && removeAll(id);
    },
    async list(sessionId) {
      const all = await read((await entries()).sort(earliestFirst));
      return all.filter((wake) => wake.sessionId === sessionId);
    },
  };
}
