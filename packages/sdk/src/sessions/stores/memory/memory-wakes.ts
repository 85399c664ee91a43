import type { Wake, WakeStore } from "../../../protocol/index.ts";
import { checkWake } from "../check-ports.ts";
import { earliestFirst } from "../shown-wakes.ts";

/** Wakes that live as long as this object. What is kept and given are copies. */
export function memoryWakes(): WakeStore {
  const wakes = new Map<string, string>();

  function chosen(wanted: (wake: Wake) => boolean): Wake[] {
    const all = Array.from(wakes.values(), (text) => JSON.parse(text) as Wake);
    return all.filter(wanted).sort(earliestFirst);
  }

  return {
    async put(wake) {
      checkWake(wake);
      wakes.set(wake.id, JSON.stringify(wake));
    },
    async due(now, limit) {
      return chosen(({ at }) => at <= now).slice(0, limit);
    },
    async remove(id) {
      return wakes.delete(id);
    },
    async list(sessionId) {
      return chosen((wake) => wake.sessionId === sessionId);
    },
  };
}
