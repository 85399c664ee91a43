import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { CastellanError } from "../protocol/index.ts";

/**
 * The home directory of the user, absolute. An empty or relative HOME would make whatever folder the process stands in
 * the home, and the settings and the trust record that lie there the user's own: then the user's account says where it is.
 *
 * @throws CastellanError `invalid_option` where that says nothing either.
 */
export function homeDirectory(): string {
  const named = homedir();
  if (isAbsolute(named)) return named;
  const account = accountHome();
  if (account !== undefined && isAbsolute(account)) return account;
  throw new CastellanError(
    "invalid_option",
    `HOME is ${JSON.stringify(named)}, which is no absolute path, and this user's account names no home directory.`,
    { subject: "HOME", fix: "Set HOME to an absolute path." },
  );
}

function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
