import type { ContextMeter, RequestPrefix } from "../context/index.ts";
import type { LanguageModel } from "../model/index.ts";
import type { SessionEvent } from "../protocol/index.ts";

/** How the history of a session is kept short enough. */
export interface LoopContext {
  readonly meter: ContextMeter;
  /** What every request begins with. */
  prefix(): RequestPrefix;
  /** Sums up by itself: at the threshold, and where a model refuses a history as too long. */
  readonly isAutomatic: boolean;
  /** The share of the window at which the history is summed up; above 0, at most 1. */
  readonly threshold: number;
  /** How many tokens a model takes; undefined where that is not known. */
  window(model: LanguageModel): number | undefined;
  /** What the store holds behind an event. Rejects as the store does. */
  events(afterSeq: number): Promise<readonly SessionEvent[]>;
  /** The model has a tool to look back with. */
  canRecall(): boolean;
  /** Below this many tokens no threshold counts: summing up again so soon would win nothing. */
  quietBelow: number;
  /** For people. Must not throw. */
  notify(level: "info" | "warning", message: string): void;
}
