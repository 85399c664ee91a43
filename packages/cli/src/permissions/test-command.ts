import { type PolicyReport, testPolicy } from "@castellan/sdk/permissions";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { readCases } from "./read-cases.ts";

export interface TestFlags {
  readonly cases: string;
  readonly json?: boolean;
}

/** `castellan permissions test`: a policy against cases of its author. */
export async function testCommand({ cases: file, json }: TestFlags): Promise<ExitCode> {
  const { cases, lines } = await readCases(file);
  const report = await testPolicy(cases, { where: (index) => `${file}, line ${lines[index]}` });
  process.stdout.write(json === true ? `${printableJson(report)}\n` : reportText(report));
  return report.failed.length === 0 ? EXIT.done : EXIT.failed;
}

function reportText({ total, passed, failed }: PolicyReport): string {
  const lines = failed.flatMap(({ id, want, got, reason }) => [
    `FAILED ${id}: want ${want}, got ${got}`,
    `  ${reason}`,
  ]);
  return `${[...lines, `${total} ${total === 1 ? "case" : "cases"}: ${passed} passed, ${failed.length} failed`].map(printable).join("\n")}\n`;
}
