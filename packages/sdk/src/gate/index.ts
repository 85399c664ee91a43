export { createGate } from "./create-gate.ts";
export { createPolicyHolder } from "./policy-holder.ts";
export { holdsOf, subjectOf } from "./pre-hooks.ts";
export { toolFacts } from "./tool-facts.ts";
export type {
  Gate,
  GateCall,
  GateDeps,
  GateScope,
  Level,
  PolicyChange,
  PolicyHolder,
  PolicyNow,
  RefuseVerdict,
  RunVerdict,
  Verdict,
} from "./types.ts";
