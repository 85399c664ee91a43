import type { Recorder } from "../protocol/index.ts";
import type { CommonEffect } from "./joined.ts";

/** Where what hooks did is written and told. */
export interface HookTeller {
  readonly recorder: Pick<Recorder, "record">;
  /** Must not throw. */
  notify(level: "info" | "warning" | "error", message: string): void;
}

/** Writes the runs into the log; tells a person what failed and what hooks want to be shown. */
export function tellEffect(effect: CommonEffect, { recorder, notify }: HookTeller): void {
  for (const run of effect.runs) recorder.record("hook.ran", run);
  for (const warning of effect.warnings) notify("warning", warning);
  for (const message of effect.systemMessages) notify("info", message);
}
