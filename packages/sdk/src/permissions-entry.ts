export type {
  CompiledPolicy,
  DecideCall,
  Finding,
  HookEffect,
  ParsedRule,
  RuleError,
  ToolFacts,
  UpdateResult,
} from "./permissions/index.ts";
export {
  applyUpdates,
  compilePolicy,
  decide,
  explainDecision as explain,
  formatRule,
  matchRule,
  parseRule,
} from "./permissions/index.ts";
export type {
  Decision,
  DecisionReason,
  MatchedRule,
  PermissionContext,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
  ResolvedTarget,
  RuleBehavior,
  RuleSource,
  SourcedRule,
  TraceStep,
} from "./protocol/index.ts";
