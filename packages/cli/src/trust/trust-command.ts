import { trustWorkspace } from "@castellan/sdk/permissions";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";

/** The flags of `castellan trust`. */
export interface TrustFlags {
  readonly remove?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

/** `castellan trust`: records that the workspace is trusted, or takes it back. */
export async function trustCommand({ remove = false, cwd, json }: TrustFlags): Promise<ExitCode> {
  const result = await trustWorkspace({ remove, ...(cwd === undefined ? {} : { cwd }) });
  const { workspace, trusted, changed, file } = result;
  const state = changed ? "is" : "was already";
  const what = trusted
    ? `${workspace} ${state} trusted: its own settings may allow calls, add directories and set modes.`
    : `${workspace} ${state} not trusted: its own settings may only forbid and ask.`;
  const text = json === true ? printableJson(result) : printable(`${what} The record: ${file}`);
  process.stdout.write(`${text}\n`);
  return EXIT.done;
}
