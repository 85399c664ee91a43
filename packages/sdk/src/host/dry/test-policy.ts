import { normaliseMode } from "../../permissions/index.ts";
import { nodePlatform } from "../../platform/index.ts";
import { isCastellanError } from "../../protocol/index.ts";
import { checkKeys } from "../options/check-keys.ts";
import { badOption, shown } from "../options/fault.ts";
import { caseDisk } from "./case-disk.ts";
import { caseLayers } from "./case-layers.ts";
import { TEST_OPTIONS } from "./check-options.ts";
import { type DrySession, openDry } from "./dry-session.ts";
import { type DryTools, dryTools, toolNameFix } from "./dry-tools.ts";
import { keyFault } from "./key-fault.ts";
import { serversOf } from "./open-check.ts";
import { malformed, readCase } from "./read-case.ts";
import type { FailedCase, PolicyCase, PolicyReport, TestPolicyOptions } from "./types.ts";

/**
 * Tests a policy: each case is decided by the gate of a session over the settings and files that it names, and no disk
 * is read.
 *
 * Rejects with a CastellanError `invalid_option` for a case that is malformed (an unknown key, mode or tool, an id that
 * was used before, settings that cannot be read): then none counts as passed.
 */
export async function testPolicy(
  cases: readonly PolicyCase[],
  options: TestPolicyOptions = {},
): Promise<PolicyReport> {
  if (!Array.isArray(cases))
    throw badOption("cases", `cases is ${shown(cases)}.`, "It must be a list of cases.");
  checkKeys(options, TEST_OPTIONS);
  const { where = (index) => `cases[${index}]` } = options;
  const tools = await dryTools(nodePlatform(), options.tools);
  const read = readCases(cases, where, tools);
  const failed: FailedCase[] = [];
  for (const [index, each] of read.entries()) {
    const { got, reason } = await runCase(each, where(index), tools);
    if (got !== "invalid" && each.want.split("|").includes(got)) continue;
    failed.push({ id: each.id, want: each.want, got, reason });
  }
  return { total: read.length, passed: read.length - failed.length, failed };
}

function readCases(
  cases: readonly unknown[],
  where: (index: number) => string,
  tools: DryTools,
): readonly PolicyCase[] {
  const ids = new Map<string, number>();
  const catalogue = tools.catalogue();
  return cases.map((value, index) => {
    const each = readCase(value, where(index));
    const before = ids.get(each.id);
    if (before !== undefined) {
      const what = `id is ${JSON.stringify(each.id)}, which ${where(before)} has too`;
      throw malformed(where(index), what, "Give each case a name of its own.");
    }
    ids.set(each.id, index);
    const { tool } = each.call;
    const fix = toolNameFix(catalogue, tool);
    if (fix === undefined) return each;
    throw malformed(where(index), `call.tool is ${JSON.stringify(tool)}: there is no such tool`, fix);
  });
}

async function runCase(
  each: PolicyCase,
  where: string,
  tools: DryTools,
): Promise<Pick<FailedCase, "got" | "reason">> {
  const { session, wrongKey } = await openCase(each, where, tools);
  if (wrongKey !== undefined) return { got: "invalid", reason: wrongKey };
  const outcome = await session.decide(each.call);
  if (outcome.ok) return { got: outcome.decision.behavior, reason: outcome.decision.message };
  return { got: "deny", reason: outcome.text };
}

async function openCase(
  each: PolicyCase,
  where: string,
  tools: DryTools,
): Promise<{ readonly session: DrySession; readonly wrongKey: string | undefined }> {
  const { mode, options = {}, settings = {}, trusted = true, call } = each;
  const place = caseDisk(each);
  try {
    const layers = caseLayers(settings, where);
    const catalogue = tools.catalogue(serversOf(layers));
    const ground = { ...place, trusted, layers, broken: undefined, options, catalogue };
    const tool = catalogue.resolve(call.tool);
    return {
      session: await openDry({ ...ground, mode: normaliseMode(mode) }),
      wrongKey: tool === undefined ? undefined : keyFault(tool, call.input),
    };
  } catch (error) {
    if (!isCastellanError(error, "invalid_settings") && !isCastellanError(error, "invalid_rule")) throw error;
    throw malformed(where, `settings: ${error.message.replace(/\.$/, "")}`, "No session opens with this.");
  }
}
