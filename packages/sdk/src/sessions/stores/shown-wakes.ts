import type { Wake } from "../../protocol/index.ts";

/** The order of wakes: by time, then by id. */
export function earliestFirst(a: Pick<Wake, "at" | "id">, b: Pick<Wake, "at" | "id">): number {
  return a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id));
}
