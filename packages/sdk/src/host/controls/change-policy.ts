import { absolutePath } from "../../platform/index.ts";
import type { PermissionMode, PermissionUpdate } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import type { OpenSession } from "../opening/open-session.ts";
import { textList } from "../options/checks.ts";
import { faultError } from "../options/fault.ts";

/**
 * Changes the mode from outside, and writes the change.
 *
 * @throws CastellanError `invalid_option` for a mode that is none or may not be set
 */
export async function changeMode({ policy, log }: OpenSession, mode: PermissionMode | "yolo"): Promise<void> {
  const change = policy.setMode(mode, "control");
  if (!change.ok) throw refused("setPermissionMode", change.error);
  await log.barrier();
}

/**
 * Adds working directories from outside, and writes the change.
 *
 * @throws CastellanError `invalid_option`
 */
export async function addDirectories(session: OpenSession, given: readonly string[]): Promise<void> {
  const found = textList(given);
  if (found !== undefined) throw faultError("addDirectories()", "directories", found);
  const { policy, log } = session;
  const { home } = policy.current().context;
  const directories = given.map((path) => absolutePath(path, log.state.cwd, home));
  const update: PermissionUpdate = { type: "addDirectories", directories, destination: "session" };
  const change = policy.update([update], "control");
  if (!change.ok) throw refused("addDirectories", change.error);
  await log.barrier();
}

function refused(method: string, why: string): CastellanError {
  return new CastellanError("invalid_option", `${method}(): ${why}`, { subject: method });
}
