import type { ApprovalDecision, ApprovalStore, EventData, JsonObject } from "../protocol/index.ts";
import type { Question, Ruling } from "./desk-types.ts";
import { hashInput, plainInput } from "./hash-input.ts";
import { restored } from "./shown-input.ts";

type Requested = EventData<"approval.requested">;
type Resolved = EventData<"approval.resolved">;

/**
 * A decision as the log keeps it. Of an edit of a redacted input, what it left alone is what it really is. Undefined: it
 * changes what its maker could not see.
 */
export function resolvedOf(
  { approvalId, callId, shownHash }: Requested,
  decision: ApprovalDecision,
  inputs: {
    readonly real: JsonObject;
    readonly shown: JsonObject;
    readonly sha256: (text: string) => string;
  },
): Resolved | undefined {
  const { behavior, decidedBy: by, note, reason, updatedInput: given, remember = [] } = decision;
  const isWhole = given === undefined || shownHash === undefined;
  const edit = isWhole ? given : restored(given, inputs.real, inputs.shown);
  if (given !== undefined && edit === undefined) return undefined;
  return {
    ...{ approvalId, callId, behavior, by },
    ...(note === undefined ? {} : { note }),
    ...(reason === undefined ? {} : { reason }),
    ...(edit === undefined ? {} : { updatedInput: edit, editHash: hashInput(edit, inputs.sha256) }),
    ...(remember.length === 0 ? {} : { remember }),
  };
}

/**
 * What an earlier run took in, where it is still known as it was: an edit that was redacted in the log stands in the
 * decision that it came from. Undefined where it does not.
 */
export async function standing(
  requested: Requested,
  resolved: Resolved,
  question: Question,
  { store, sha256 }: { readonly store: ApprovalStore; readonly sha256: (text: string) => string },
): Promise<Resolved | undefined> {
  const { updatedInput, editHash } = resolved;
  if (updatedInput === undefined || editHash === undefined) return resolved;
  if (hashInput(updatedInput, sha256) === editHash) return resolved;
  const decision = await store.decisionOf(requested.approvalId);
  const record = await store.get(requested.approvalId);
  if (decision === undefined || record === undefined) return undefined;
  const inputs = { real: plainInput(question.input), shown: record.input, sha256 };
  const again = resolvedOf(requested, decision, inputs);
  return again?.editHash === editHash ? again : undefined;
}

/** What it comes to for the call. A word that is not known is no approval. */
export function rulingOf(resolved: Resolved): Ruling {
  const { behavior, by, reason, updatedInput, remember = [] } = resolved;
  if (behavior !== "approve") return { kind: "reject", by, ...(reason === undefined ? {} : { reason }) };
  return { kind: "approve", by, updates: remember, ...(updatedInput === undefined ? {} : { updatedInput }) };
}
