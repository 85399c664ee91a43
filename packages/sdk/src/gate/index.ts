export { createGate } from "./create-gate.ts";
export { holdsOf, hookCall, hookRunDeps } from "./hook-call.ts";
export { createPolicyHolder } from "./policy-holder.ts";
export { toolFacts } from "./tool-facts.ts";
export type {
  Considered,
  Gate,
  GateCall,
  GateDeps,
  GateDesk,
  GateScope,
  Level,
  PolicyChange,
  PolicyHolder,
  PolicyNow,
  RefuseVerdict,
  RunVerdict,
  Verdict,
} from "./types.ts";
