/**
 * Whether a path found inside a walk may be shown. False for what a Read deny or ask rule names;
 * Grep, Glob and LS leave such entries out, counts included.
 */
export type MayRead = (absolutePath: string) => boolean;
