import { type RevokeResult, revoke } from "@castellan/sdk/permissions";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";

/** The flags of `permissions revoke`. */
export interface RevokeFlags {
  readonly from?: "user" | "project" | "local";
  readonly behavior?: "allow" | "deny" | "ask";
  readonly cwd?: string;
  readonly json?: boolean;
}

/** `castellan permissions revoke`: takes a rule out of its settings file. Fails when it is not there. */
export async function revokeCommand(rule: string, { json, ...options }: RevokeFlags): Promise<ExitCode> {
  const result = await revoke(rule, { ...options, compat: ["claude", "qoder"] });
  if (json === true) process.stdout.write(`${printableJson(result)}\n`);
  else (result.revoked ? process.stdout : process.stderr).write(`${revokedText(rule, options, result)}\n`);
  return result.revoked ? EXIT.done : EXIT.failed;
}

/** What happened, for a person. */
export function revokedText(
  rule: string,
  { from, behavior = "allow" }: Pick<RevokeFlags, "from" | "behavior">,
  result: RevokeResult,
): string {
  if (result.revoked) return printable(`revoked ${behavior} ${rule} from ${result.files.join(", ")}`);
  const places = result.nearest.map((each) =>
    printable(`  ${each.rule}  (${each.source}, ${each.file})`).replaceAll("\n", " "),
  );
  if (result.reason === "several")
    return [printable(`castellan: several files hold ${rule}. Say which with --from.`), ...places].join("\n");
  const where = from === undefined ? "no settings file" : `no ${from} settings file`;
  const missing = printable(`castellan: ${where} holds ${rule} in ${behavior}.`);
  if (places.length === 0) return missing;
  const list = result.nearest.find((each) => each.rule === rule)?.behavior;
  const head = list === undefined ? "Nearest are:" : printable(`It stands in ${list} (--behavior ${list}):`);
  return [`${missing} ${head}`, ...places].join("\n");
}
