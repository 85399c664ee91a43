import type { ModelPart, ModelStream } from "./port.ts";

/** A stream's parts in groups, whether the model gives groups or not. */
export function partBatches(stream: ModelStream): AsyncIterable<readonly ModelPart[]> {
  return stream.batches?.() ?? single(stream);
}

async function* single(stream: ModelStream): AsyncGenerator<readonly ModelPart[]> {
  for await (const part of stream) yield [part];
}
