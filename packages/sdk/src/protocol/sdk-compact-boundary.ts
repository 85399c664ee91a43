import type { CompactTrigger } from "./events/index.ts";
import type { SDKCommon } from "./sdk-common.ts";

/** The history before this message was summed up for the model. It stays in the log, and in what was given before. */
export interface SDKCompactBoundary extends SDKCommon {
  readonly type: "system";
  readonly subtype: "compact_boundary";
  readonly compact_metadata: {
    /** `auto`: a limit was reached; `reason` says which. */
    readonly trigger: "manual" | "auto";
    readonly reason: CompactTrigger;
    /** Tokens of a whole request before and after. */
    readonly pre_tokens: number;
    readonly post_tokens: number;
    /** Messages that the model no longer gets. */
    readonly messages: number;
    /** Who wrote the summary; null where no model could. */
    readonly model: string | null;
  };
}
