export type { AnswerSchema } from "./answer-schema.ts";
export type {
  BackgroundOutput,
  BackgroundShells,
  BackgroundStart,
  BackgroundStarted,
  BackgroundTask,
} from "./background-shells.ts";
export type { Checkpoints, LineCheckpoint, LineKept, PlannedChange } from "./checkpoints.ts";
export type { FileLedger, SeenFile } from "./file-ledger.ts";
export type { PastHistory } from "./history.ts";
export type { MayRead } from "./may-read.ts";
export type { PlanModeSwitch } from "./plan-mode.ts";
export type { ShellState } from "./shell-state.ts";
export type { SpawnedProcess, Spawner, SpawnRequest } from "./spawner.ts";
export type { SessionTimer, SessionTimers, SleepEnd, TimerWish } from "./timers.ts";
export type { TodoItem, TodoList } from "./todos.ts";

import type { AnswerSchema } from "./answer-schema.ts";
import type { BackgroundShells } from "./background-shells.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { FileLedger } from "./file-ledger.ts";
import type { PastHistory } from "./history.ts";
import type { MayRead } from "./may-read.ts";
import type { PlanModeSwitch } from "./plan-mode.ts";
import type { ShellState } from "./shell-state.ts";
import type { Spawner } from "./spawner.ts";
import type { SessionTimers } from "./timers.ts";
import type { TodoList } from "./todos.ts";

/** What a built-in tool may ask of the rooms above it. A tool whose service is missing is not mounted. */
export interface ToolServices {
  readonly answer?: AnswerSchema;
  readonly backgroundShells?: BackgroundShells;
  readonly checkpoints?: Checkpoints;
  readonly files?: FileLedger;
  readonly history?: PastHistory;
  readonly mayRead?: MayRead;
  readonly planMode?: PlanModeSwitch;
  readonly spawner?: Spawner;
  readonly shell?: ShellState;
  readonly timers?: SessionTimers;
  readonly todos?: TodoList;
}
