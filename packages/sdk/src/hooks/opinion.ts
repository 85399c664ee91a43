import { readUpdates } from "../permissions/index.ts";
import type { HookEvent, JsonObject } from "../protocol/index.ts";
import { copyJson } from "../schema/index.ts";
import type { HookAnswer } from "./answer.ts";
import { describe, type Fields, isFields, Malformed, optional } from "./output-fields.ts";
import { strangeRequestKeys } from "./output-keys.ts";

type Opinion = Partial<
  Pick<
    HookAnswer,
    "behavior" | "reason" | "updatedInput" | "updatedOutput" | "updates" | "interrupt" | "block" | "warnings"
  >
>;

/** The part of an answer that means something different in each event. @throws Malformed */
export function readOpinion(event: HookEvent, output: Fields, specific: Fields): Opinion {
  const { decision } = output;
  if (decision !== undefined && decision !== "approve" && decision !== "block") {
    throw new Malformed(`"decision" is ${describe(decision)}; give "approve" or "block"`);
  }
  const reason = optional(output, "reason", "string");
  switch (event) {
    case "PreToolUse":
      return before(specific, decision, reason);
    case "PermissionRequest":
      mayNotDecide(event, decision, '; give "hookSpecificOutput.decision"');
      return request(specific.decision);
    case "PostToolUse":
      return { ...behind(specific), ...blocking(decision, reason) };
    case "PostToolUseFailure":
      mayNotDecide(event, decision, ": the call has failed already");
      return {};
    case "Notification":
      mayNotDecide(event, decision, ": nothing is asked");
      return {};
    case "PostCompact":
      mayNotDecide(event, decision, ": the history is summed up already");
      return {};
    case "UserPromptSubmit":
    case "Stop":
    case "PreCompact":
      return blocking(decision, reason);
  }
}

function before(
  specific: Fields,
  decision: "approve" | "block" | undefined,
  topReason: string | undefined,
): Opinion {
  const said = specific.permissionDecision;
  if (said !== undefined && said !== "allow" && said !== "deny" && said !== "ask" && said !== "defer") {
    throw new Malformed(`"permissionDecision" is ${describe(said)}; give "allow", "deny", "ask" or "defer"`);
  }
  const older = decision === undefined ? undefined : decision === "block" ? "deny" : "allow";
  const behavior = [said, older].includes("deny") ? "deny" : (said ?? older);
  const reason = optional(specific, "permissionDecisionReason", "string") ?? topReason;
  return {
    ...(behavior === undefined ? {} : { behavior }),
    ...(reason === undefined ? {} : { reason }),
    ...rewrite(specific),
  };
}

function request(decision: unknown): Opinion {
  if (decision === undefined) return {};
  if (!isFields(decision)) {
    const shape = '{ behavior: "allow" } or { behavior: "deny", message }';
    throw new Malformed(`"hookSpecificOutput.decision" is ${describe(decision)}; give ${shape}`);
  }
  const warnings = strangeRequestKeys(decision);
  const { behavior } = decision;
  const message = optional(decision, "message", "string");
  const interrupt = optional(decision, "interrupt", "boolean");
  if (behavior === "deny") {
    return {
      ...{ behavior, warnings },
      ...(message === undefined || message.trim() === "" ? {} : { reason: message }),
      ...(interrupt === true ? { interrupt } : {}),
    };
  }
  if (behavior !== "allow") {
    throw new Malformed(`"decision.behavior" is ${describe(behavior)}; give "allow" or "deny"`);
  }
  if (interrupt === true) throw new Malformed('"decision.interrupt" goes with "deny" only');
  const updates = readUpdates(decision.updatedPermissions ?? [], "updatedPermissions");
  if (!updates.ok) throw new Malformed(updates.problem);
  return { ...{ behavior, warnings }, updates: updates.updates, ...rewrite(decision) };
}

function behind(specific: Fields): Opinion {
  const update = specific.updatedToolOutput;
  if (update === undefined) return {};
  const copied = copyJson(update);
  if (!copied.ok) throw new Malformed(`"updatedToolOutput" is no JSON: ${copied.problem}`);
  return { updatedOutput: { value: copied.value } };
}

function blocking(decision: "approve" | "block" | undefined, reason: string | undefined): Opinion {
  return {
    ...(decision === "block" ? { block: true } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

function mayNotDecide(event: HookEvent, decision: unknown, hint: string): void {
  if (decision !== undefined) throw new Malformed(`"decision" means nothing in ${event}${hint}`);
}

function rewrite(from: Fields): Pick<Opinion, "updatedInput"> {
  const value = from.updatedInput;
  if (value === undefined) return {};
  if (!isFields(value)) {
    throw new Malformed(`"updatedInput" is ${describe(value)}; give the whole input object`);
  }
  const copied = copyJson(value);
  if (!copied.ok) throw new Malformed(`"updatedInput" is no JSON: ${copied.problem}`);
  return { updatedInput: copied.value as JsonObject };
}
