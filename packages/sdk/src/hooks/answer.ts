import type { JsonObject, JsonValue, PermissionUpdate } from "../protocol/index.ts";

/** What one hook said, in one form for all spellings. */
export interface HookAnswer {
  readonly behavior?: "allow" | "deny" | "ask" | "defer";
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedOutput?: { readonly value: JsonValue };
  /** Of an allow in PermissionRequest. */
  readonly updates?: readonly PermissionUpdate[];
  /** Of a deny in PermissionRequest: the run ends. */
  readonly interrupt?: true;
  readonly context?: string;
  readonly block?: true;
  readonly stop?: { readonly reason: string };
  readonly suppressOutput?: true;
  readonly systemMessage?: string;
  /** Keys that mean nothing here. */
  readonly warnings: readonly string[];
}
