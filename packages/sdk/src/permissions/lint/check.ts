import type { Finding } from "../policy/finding.ts";
import type { Subject, World } from "./subject.ts";

/** Looks at one rule that can be read, and says what its author should know. */
export type RuleCheck = (subject: Subject, world: World) => readonly Finding[];

/** Looks at all rules together. */
export type WorldCheck = (world: World) => readonly Finding[];

export const NOTHING: readonly Finding[] = [];
