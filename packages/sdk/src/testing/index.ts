export type {
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedToolCall,
  ScriptedTurn,
  ScriptStep,
} from "../model/index.ts";
export { scriptedModel } from "../model/index.ts";
export { assertComplete } from "./assert-complete.ts";
export type { FakeClock } from "./fake-clock.ts";
export { fakeClock } from "./fake-clock.ts";
export type { FaultPlan, StoreFault } from "./fault-plan.ts";
export { STORE_FAULTS } from "./fault-plan.ts";
export type { Faults } from "./faulty-store.ts";
export { faultyStore } from "./faulty-store.ts";
export { expectTranscript, transcript } from "./transcript.ts";
