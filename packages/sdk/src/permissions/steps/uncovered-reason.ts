import type { DecisionReason } from "../../protocol/index.ts";
import { coverTargets } from "../cover/cover.ts";
import type { UncoveredPart } from "../cover/part.ts";
import { isInside } from "../cover/paths.ts";
import type { Facts } from "../facts/facts.ts";

/** Why a call is asked about that nothing forbids: the first part that nothing allows. */
export function uncoveredReason(facts: Facts): DecisionReason {
  const first = coverTargets(facts).uncovered[0];
  return first === undefined
    ? { type: "undecided", detail: "No rule allows this call." }
    : reasonFor(first, facts);
}

function reasonFor(part: UncoveredPart, facts: Facts): DecisionReason {
  switch (part.kind) {
    case "opaque":
      return { type: "opaque", code: part.code, detail: part.detail };
    case "command":
      return {
        type: "subcommand",
        command: part.command.text,
        reason: { type: "undecided", detail: "No rule allows this command." },
      };
    case "path":
      return pathReason(part);
    case "target":
      return { type: "undecided", detail: `No rule allows ${targetText(part.target)}.` };
    case "tool":
      return { type: "undecided", detail: `No rule allows the tool ${facts.call.tool.name}.` };
  }
}

function pathReason({ target, need }: Extract<UncoveredPart, { kind: "path" }>): DecisionReason {
  if (target.unknown) {
    return { type: "undecided", detail: `\`${target.path}\` is not known before the line runs.` };
  }
  if (!isInside(target)) return { type: "workingDirectory", path: target.path };
  const verb = need === "read" ? "read" : target.access === "remove" ? "remove" : "change";
  return { type: "undecided", detail: `No rule allows to ${verb} \`${target.path}\`.` };
}

function targetText(target: Extract<UncoveredPart, { kind: "target" }>["target"]): string {
  switch (target.kind) {
    case "host":
      return target.host === undefined ? "a host that is not known" : `the host ${target.host}`;
    case "mcp":
      return `${target.tool} of the server ${target.server}`;
    case "agent":
      return `the agent ${target.type}`;
    case "name":
      return `\`${target.value}\``;
  }
}
