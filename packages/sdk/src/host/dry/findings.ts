import { type CompiledPolicy, type Finding, unknownNames } from "../../permissions/index.ts";
import type { SettingsFinding } from "../../settings/index.ts";
import type { PolicyFinding } from "./types.ts";

/** What is wrong with the rules of a policy, by themselves and beside the tools that there are. */
export function ruleFindings(policy: CompiledPolicy, toolNames: Iterable<string>): readonly PolicyFinding[] {
  return [...policy.findings, ...unknownNames(policy, toolNames)].map(ofRule);
}

function ofRule({ text, ...rest }: Finding): PolicyFinding {
  return { ...rest, rule: text };
}

/** The same shape for what is wrong with a settings file. */
export function ofSettings(finding: SettingsFinding): PolicyFinding {
  const { severity, source, file, line, key, message, fix } = finding;
  return {
    severity,
    source,
    file,
    ...(line === undefined ? {} : { position: line }),
    ...(key === undefined ? {} : { key }),
    message,
    ...(fix === undefined ? {} : { fix }),
  };
}
