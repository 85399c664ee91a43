import { type InstructionFile, textsTokens, toolTokens } from "../../context/index.ts";
import type { LoopContext } from "../../loop/index.ts";
import type { LanguageModel } from "../../model/index.ts";
import type { SessionLog } from "../../sessions/index.ts";

/** A part of the next request. */
export interface ContextCategory {
  readonly name:
    | "System prompt"
    | "Instruction files"
    | "Built-in tools"
    | "Other tools"
    | "Messages"
    | "Free space";
  readonly tokens: number;
}

/** How the next request fills the model's context window. */
export interface ContextUsage {
  /** The model that the next request goes to. */
  readonly model: string;
  /** Tokens of the next request. */
  readonly totalTokens: number;
  /** What the model takes; null where that is not known. */
  readonly maxTokens: number | null;
  /** `totalTokens` of `maxTokens`, from 0 to 100 and above; null as that. */
  readonly percentage: number | null;
  /** The parts are estimates, made to add up to `totalTokens`; "Free space" is there where `maxTokens` is known. */
  readonly categories: readonly ContextCategory[];
  readonly memoryFiles: readonly {
    readonly path: string;
    readonly type: InstructionFile["type"];
    readonly tokens: number;
  }[];
  /** `totalTokens` rests on what the provider counted for the last answer; else it is an estimate throughout. */
  readonly isCounted: boolean;
  readonly isAutoCompactEnabled: boolean;
  /** Tokens at which the history is summed up; null where that never happens by itself, or `maxTokens` is not known. */
  readonly autoCompactThreshold: number | null;
  /** How often the history was summed up. */
  readonly compactions: number;
  /** Messages of the session that the model no longer gets. */
  readonly compactedMessages: number;
}

/** Measures the next request. */
export function contextUsage(
  context: LoopContext,
  log: Pick<SessionLog, "state">,
  model: LanguageModel,
  instructions: readonly InstructionFile[],
): ContextUsage {
  const prefix = context.prefix();
  const { messages, compacted } = log.state;
  const totalTokens = context.meter.tokens(messages, prefix);
  const max = context.window(model);
  const memoryFiles = instructions.map(({ path, type, text }) => ({
    path,
    type,
    tokens: textsTokens([text]),
  }));
  const files = memoryFiles.reduce((sum, { tokens }) => sum + tokens, 0);
  const builtins = toolTokens(prefix.tools.slice(0, prefix.builtinTools));
  const others = toolTokens(prefix.tools.slice(prefix.builtinTools));
  const system = Math.max(0, textsTokens(prefix.system) - files);
  const parts: ContextCategory[] = [
    { name: "System prompt", tokens: system },
    { name: "Instruction files", tokens: files },
    { name: "Built-in tools", tokens: builtins },
    { name: "Other tools", tokens: others },
  ];
  const head = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  // Where the provider counts the whole lower than the head is estimated, the head is what was estimated too high.
  const share = messages.length === 0 || head <= totalTokens ? 1 : (totalTokens * 0.9) / head;
  const fitted = parts.map(({ name, tokens }) => ({ name, tokens: Math.round(tokens * share) }));
  const used = fitted.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    model: model.id,
    totalTokens,
    maxTokens: max ?? null,
    percentage: max === undefined ? null : Math.round((totalTokens / max) * 1_000) / 10,
    categories: [
      ...fitted,
      { name: "Messages", tokens: totalTokens - used },
      ...(max === undefined ? [] : [{ name: "Free space", tokens: Math.max(0, max - totalTokens) } as const]),
    ],
    memoryFiles,
    isCounted: context.meter.isCounted(),
    isAutoCompactEnabled: context.isAutomatic,
    autoCompactThreshold:
      max === undefined || !context.isAutomatic ? null : Math.round(max * context.threshold),
    compactions: compacted?.times ?? 0,
    compactedMessages: compacted?.taken ?? 0,
  };
}
