export type { CancelReason } from "./cancel-reason.ts";
export { cancelCode, cancelReason, gentleReason, isSessionEnd } from "./cancel-reason.ts";
export { createScheduler } from "./create-scheduler.ts";
export type { EarlierCall, ProgressNote, RoundOutcome, Scheduler, SchedulerDeps } from "./types.ts";
