import { isFreeDevice } from "../protocol/index.ts";
import type { PathLibrary } from "./path-rules.ts";
import { namesOf } from "./path-rules.ts";
import { windowsSuspicion } from "./windows-paths.ts";

/** Invisible characters that make a path look like another one. */
const HIDDEN = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/u;
const ONLY_DOTS = /^\.{3,}$/;
const PROCESS_SECRET = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/;
const NETWORK_DEVICE = /^\/dev\/(?:tcp|udp)(?:\/|$)/;
/** Memory that looks like a folder below /dev: its files are ordinary ones. */
const MEMORY_FOLDER = /^\/dev\/(?:shm|mqueue|hugepages)(?:\/|$)/;

/** Why the text of an absolute path alone forbids to touch it unasked. */
export function suspiciousText(library: PathLibrary, path: string): string | undefined {
  if (HIDDEN.test(path)) return "its name holds control or direction characters";
  if (library.sep === "\\") {
    const why = windowsSuspicion(path);
    if (why !== undefined) return why;
  }
  if (namesOf(library, path).some((name) => ONLY_DOTS.test(name))) {
    return "a part of it is made only of dots";
  }
  if (library.sep === "\\") return undefined;
  if (PROCESS_SECRET.test(path)) return "it shows the environment or memory of a process";
  if (NETWORK_DEVICE.test(path)) return "the shell takes it for a network connection";
  const device = path.startsWith("/dev/") && !isFreeDevice(path) && !MEMORY_FOLDER.test(path);
  return device ? "it is a device" : undefined;
}
