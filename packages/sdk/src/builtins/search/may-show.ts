import { join } from "node:path";
import type { MayRead } from "../../protocol/index.ts";
import type { JudgedPath } from "../files/judged-path.ts";

/** Whether an entry below a judged root may be shown, under every name that the root goes by. */
export function mayShowBelow(root: JudgedPath, mayRead: MayRead): (relativePath: string) => boolean {
  const names = [...new Set([root.given, ...root.hops, root.real])];
  return (relativePath) => names.every((name) => mayRead(join(name, relativePath)));
}
