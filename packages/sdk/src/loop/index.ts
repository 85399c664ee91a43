export type { LoopDeps, TurnEnd } from "./deps.ts";
export { runUserTurn } from "./run-user-turn.ts";
