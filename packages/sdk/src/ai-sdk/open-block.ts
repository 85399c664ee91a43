import { ask, type ModelPart } from "../model/index.ts";
import type { JsonValue, ProviderMeta } from "../protocol/index.ts";

type BlockEvent = `${"text" | "reasoning"}-${"start" | "delta" | "end"}`;

/** The text or thought that is being told. Its provider data is kept until it is closed. */
export interface OpenBlock {
  part(type: BlockEvent, part: unknown, out: ModelPart[]): void;
  /** Tells the provider data of the open block, if there is one. */
  close(out: ModelPart[]): void;
  toolBegan(): void;
  /** The provider's data as it is stored; undefined where there is none. */
  metaOf(metadata: unknown): ProviderMeta | undefined;
}

interface Block {
  readonly kind: "text" | "reasoning";
  readonly id: unknown;
  begun: boolean;
  metadata: Record<string, Record<string, unknown>>;
}

export function createOpenBlock({
  meta,
  modelId,
}: {
  readonly meta: string;
  readonly modelId: string;
}): OpenBlock {
  let open: Block | undefined;
  let previous: Block["kind"] | "tool" | undefined;

  function start(kind: Block["kind"], id: unknown, out: ModelPart[]): Block {
    close(out);
    open = { kind, id, begun: false, metadata: {} };
    return open;
  }

  /** A block of its own where two of one kind follow each other, else the first delta begins it. */
  function begin(block: Block, out: ModelPart[], always: boolean): void {
    if (block.begun) return;
    block.begun = true;
    if (always || previous === block.kind) out.push({ type: "block", kind: block.kind });
    previous = block.kind;
  }

  function close(out: ModelPart[]): void {
    const block = open;
    open = undefined;
    if (block === undefined) return;
    const found = metaOf(block.metadata);
    if (block.kind === "reasoning") {
      // Which model had a thought is kept even without its data: it goes back to that model only.
      if (!block.begun && found === undefined) return;
      begin(block, out, true);
      out.push({ type: "meta", meta: found ?? { [meta]: { model: modelId } } });
    } else if (block.begun && found !== undefined) out.push({ type: "meta", meta: found });
  }

  function metaOf(metadata: unknown): ProviderMeta | undefined {
    if (typeof metadata !== "object" || metadata === null || Object.keys(metadata).length === 0)
      return undefined;
    // JSON by the interface's own terms.
    return { [meta]: { model: modelId, metadata: metadata as JsonValue } };
  }

  return {
    part(type, part, out) {
      const [kind, step] = type.split("-") as ["text" | "reasoning", "start" | "delta" | "end"];
      const id = ask(part, "id");
      const known = open?.kind === kind && open.id === id ? open : undefined;
      // The end of a block behind which another one has begun: its data is told already.
      if (step === "end" && known === undefined) return;
      const block = step === "start" || known === undefined ? start(kind, id, out) : known;
      merge(block, ask(part, "providerMetadata"));
      const delta = step === "delta" ? ask(part, "delta") : undefined;
      if (typeof delta === "string" && delta !== "") {
        begin(block, out, false);
        out.push({ type: kind, delta });
      }
      if (step === "end") close(out);
    },
    close,
    toolBegan() {
      previous = "tool";
    },
    metaOf,
  };
}

function merge(block: Block, metadata: unknown): void {
  if (typeof metadata !== "object" || metadata === null) return;
  for (const [provider, data] of Object.entries(metadata)) {
    if (typeof data === "object" && data !== null) {
      block.metadata[provider] = { ...block.metadata[provider], ...data };
    }
  }
}
