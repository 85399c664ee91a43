import type { AssistantMessage, ProviderMeta, StopReason, Usage } from "../protocol/index.ts";
import { NO_USAGE } from "../protocol/index.ts";
import { type AnswerBlock, finishBlock, type TextBlock, type ToolBlock } from "./answer-block.ts";
import type { Completion, ModelPart } from "./port.ts";

/** What the parts of one stream came to. A failed answer is asked for again; nothing of it is kept. */
export type Accumulated =
  | { readonly ok: true; readonly completion: Completion }
  | { readonly ok: false; readonly retryable: true; readonly message: string };

/** Joins the parts of one stream. */
export interface Accumulator {
  push(part: ModelPart): void;
  /** Called once the stream has ended by itself. */
  finish(): Accumulated;
  /**
   * What may be kept of an answer that was cut short: its text and its finished reasoning.
   * Tool calls are left out, so nothing of it can run.
   */
  cutShort(): { readonly message: AssistantMessage; readonly usage: Usage };
}

/**
 * Makes one assistant message of a stream, in time that grows with its length only.
 *
 * Blocks stand in the order in which they began; an empty text block leaves none. Input of a tool call that is no
 * JSON object becomes `{}` with the text beside it as `invalidInput`. A stream without `finish`, with two calls
 * of one id, or with a delta for a call that is not open, is a failure.
 */
export function createAccumulator(messageId: string): Accumulator {
  const blocks: AnswerBlock[] = [];
  const tools = new Map<string, ToolBlock>();
  let text: TextBlock | undefined;
  let latest: AnswerBlock | undefined;
  let messageMeta: ProviderMeta | undefined;
  let usage: Usage = NO_USAGE;
  let stopReason: StopReason | undefined;
  let fault: string | undefined;

  function begin(kind: TextBlock["kind"]): TextBlock {
    const block: TextBlock = { kind, pieces: [], meta: undefined };
    text = block;
    latest = block;
    blocks.push(block);
    return block;
  }

  function add(kind: TextBlock["kind"], delta: string): void {
    const block = text?.kind === kind ? text : begin(kind);
    block.pieces.push(delta);
  }

  function startTool(id: string, name: string): void {
    if (tools.has(id)) {
      fail(`it has two tool calls with the id "${id}"`);
      return;
    }
    const block: ToolBlock = {
      kind: "tool",
      id,
      name,
      pieces: [],
      whole: undefined,
      open: true,
      meta: undefined,
    };
    tools.set(id, block);
    blocks.push(block);
    text = undefined;
    latest = block;
  }

  function openTool(id: string): ToolBlock | undefined {
    const block = tools.get(id);
    if (block?.open === true) return block;
    fail(`it goes on with a tool call "${id}" that is not open`);
    return undefined;
  }

  function fail(what: string): void {
    fault ??= `The answer of the model cannot be read: ${what}.`;
  }

  function endTool({ id, inputText, meta }: Extract<ModelPart, { type: "toolEnd" }>): void {
    const block = openTool(id);
    if (block === undefined) return;
    block.open = false;
    block.whole = inputText;
    if (meta !== undefined) block.meta = { ...block.meta, ...meta };
  }

  function push(part: ModelPart): void {
    if (stopReason !== undefined && part.type !== "usage") {
      fail("it goes on behind its end");
      return;
    }
    switch (part.type) {
      case "text":
      case "reasoning":
        add(part.type, part.delta);
        break;
      case "block":
        begin(part.kind);
        break;
      case "meta":
        if (latest === undefined) messageMeta = { ...messageMeta, ...part.meta };
        else latest.meta = { ...latest.meta, ...part.meta };
        break;
      case "toolStart":
        startTool(part.id, part.name);
        break;
      case "toolDelta":
        openTool(part.id)?.pieces.push(part.delta);
        break;
      case "toolEnd":
        endTool(part);
        break;
      case "usage":
        usage = { ...usage, ...counts(part.usage) };
        break;
      case "finish":
        stopReason = part.stopReason;
        break;
    }
  }

  function message(kept: readonly AnswerBlock[]): AssistantMessage {
    const noRoom = stopReason === "max_tokens" || stopReason === "context_overflow";
    const all = kept.flatMap((block) => finishBlock(block, noRoom && block === latest) ?? []);
    // What flatMap gives has room for more, and this list is kept for long.
    const parts = all.slice();
    return {
      role: "assistant",
      id: messageId,
      parts,
      ...(messageMeta === undefined ? {} : { meta: messageMeta }),
    };
  }

  return {
    push,
    finish() {
      if (fault === undefined && stopReason === undefined) {
        fault = "The answer of the model broke off: its stream ended without an end mark.";
      }
      if (fault !== undefined || stopReason === undefined)
        return { ok: false, retryable: true, message: fault ?? "" };
      // Some servers say "stop" although they ask for a tool.
      const asksForTools = tools.size > 0 && (stopReason === "end_turn" || stopReason === "other");
      const reason = asksForTools ? "tool_use" : stopReason;
      return { ok: true, completion: { message: message(blocks), usage, stopReason: reason } };
    },
    cutShort() {
      const kept = blocks.filter(
        (block) => block.kind === "text" || (block.kind === "reasoning" && block !== latest),
      );
      return { message: message(kept), usage };
    },
  };
}

/** The counts that are numbers: later ones of a stream replace earlier ones. */
function counts(usage: Partial<Usage>): Partial<Usage> {
  const sane = Object.entries(usage).filter(([, n]) => Number.isFinite(n) && n >= 0);
  return Object.fromEntries(sane);
}
