import { coverTargets } from "../cover/cover.ts";
import type { UncoveredPart } from "../cover/part.ts";
import type { Facts } from "../facts/facts.ts";
import { clip } from "../reason-text.ts";
import { ruleFor } from "./suggest.ts";

/** Why no rule is offered for a call that rules could settle, as the end of a sentence. */
export function whyNone(facts: Facts): string {
  if (facts.call.tool.destructive) return "because it cannot be undone";
  const part = coverTargets(facts).uncovered.find((each) => ruleFor(each, facts) === undefined);
  return part === undefined ? "because none alone would settle it" : `because of ${partText(part, facts)}`;
}

function partText(part: UncoveredPart, { call }: Facts): string {
  switch (part.kind) {
    case "opaque":
      return `what cannot be seen through (${part.code})`;
    case "command":
      return `\`${clip(part.command.text)}\`, for which none would be narrow`;
    case "path":
      return `the path \`${clip(part.target.path)}\``;
    case "target":
    case "tool":
      return `the tool ${call.tool.name}, for which none would be narrow`;
  }
}
