export type { Fault, Format, LoopbackCall, LoopbackStep, LoopbackTurn, RecordedRequest } from "./script.ts";
export { type Loopback, type LoopbackOptions, startLoopback } from "./server.ts";
