import type { ExitCode } from "../exit-codes.ts";
import type { RunFlags } from "../run/options.ts";
import { runCommand } from "../run/run-command.ts";
import { fullId, withHost } from "./with-host.ts";

/** `castellan sessions resume`: `castellan run --resume` with a beginning of the id. */
export async function resumeCommand(
  given: string,
  prompt: string | undefined,
  flags: Pick<RunFlags, "model" | "json">,
): Promise<ExitCode> {
  let resume = given;
  await withHost(async (host) => {
    resume = await fullId(host, given);
    return 0;
  });
  return runCommand(prompt, { ...flags, resume });
}
