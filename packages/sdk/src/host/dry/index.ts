export { check, explain } from "./check.ts";
export { listRules } from "./list-rules.ts";
export { testPolicy } from "./test-policy.ts";
export type {
  CaseSettings,
  CheckOptions,
  DryCall,
  FailedCase,
  ListedRule,
  PolicyCase,
  PolicyFinding,
  PolicyReport,
  RuleListing,
  TestPolicyOptions,
} from "./types.ts";
