import { basename, dirname } from "node:path";
import { COMPAT_HOSTS, type CompatHost } from "../types.ts";

/** A file in another host's folder anchors its paths as that host does. */
export function hostOfFile(file: string): CompatHost | undefined {
  return COMPAT_HOSTS.find((host) => basename(dirname(file)) === `.${host}`);
}
