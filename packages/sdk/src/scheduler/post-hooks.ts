import type { RunVerdict } from "../gate/index.ts";
import { subjectOf } from "../gate/index.ts";
import { runPostToolUse } from "../hooks/index.ts";
import type { JsonValue, ResultPart } from "../protocol/index.ts";
import { normaliseResult } from "../tools/index.ts";
import type { Ending } from "./results.ts";
import { textPart } from "./results.ts";
import type { SchedulerDeps } from "./types.ts";

export interface Hooked {
  readonly ending: Ending;
  readonly stop?: { readonly reason: string };
}

/** Lets the PostToolUse hooks see, replace and comment the result of a call that succeeded. */
export async function runPostHooks(
  ending: Ending,
  callId: string,
  verdict: RunVerdict,
  signal: AbortSignal,
  deps: SchedulerDeps,
): Promise<Hooked> {
  const effect = await runPostToolUse(
    deps.hooks,
    {
      subject: subjectOf(verdict.tool),
      input: verdict.input,
      toolUseId: callId,
      base: () => ({
        ...deps.hookInput(),
        ...(deps.agentId === undefined ? {} : { agent_id: deps.agentId }),
      }),
      response: () => ending.structured ?? responseOf(ending.content),
    },
    signal,
    deps.platform,
  );
  for (const run of effect.runs) deps.recorder.record("hook.ran", run);
  for (const warning of effect.warnings) deps.notify("warning", warning);
  for (const message of effect.systemMessages) deps.notify("info", message);

  const replaced =
    effect.updatedOutput === undefined ? ending : replace(ending, effect.updatedOutput.value, verdict);
  const blocks = effect.blocks.map((reason) => textPart(`A PostToolUse hook objects: ${reason}`));
  return {
    ending: {
      ...replaced,
      content: [...replaced.content, ...blocks],
      ...(effect.contexts.length === 0 ? {} : { context: [...(ending.context ?? []), ...effect.contexts] }),
    },
    ...(effect.stop === undefined ? {} : { stop: effect.stop }),
  };
}

/** What the tool gave is gone then, its structured form too: a hook may have taken a secret out. */
function replace(ending: Ending, value: JsonValue, verdict: RunVerdict): Ending {
  const { structured: _, ...rest } = ending;
  if (typeof value === "object" && value !== null && Object.hasOwn(value, "content")) {
    const { content, isError, structured } = normaliseResult(value, verdict.tool);
    return { ...rest, content, isError, ...(structured === undefined ? {} : { structured }) };
  }
  if (typeof value === "string") return { ...rest, content: [textPart(value)] };
  return { ...rest, content: [textPart(JSON.stringify(value))], structured: value };
}

function responseOf(content: readonly ResultPart[]): JsonValue {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length === content.length) return texts.join("\n");
  return content.map((part) =>
    part.type === "text" ? { type: "text", text: part.text } : { type: "file", mediaType: part.mediaType },
  );
}
