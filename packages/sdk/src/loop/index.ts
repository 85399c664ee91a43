export type { Budget } from "./budget.ts";
export type { LoopDeps, LoopHooks, TurnEnd } from "./deps.ts";
export type { LoopContext } from "./loop-context.ts";
export { compactWish } from "./make-room.ts";
export type { OutputRule } from "./output-rule.ts";
export { runUserTurn } from "./run-user-turn.ts";
export type { Steering } from "./steering.ts";
