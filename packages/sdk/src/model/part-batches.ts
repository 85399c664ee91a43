import type { ModelPart, ModelStream } from "./port.ts";

/** A stream's parts in groups, whether the model gives groups or not. */
export function partBatches(stream: ModelStream): AsyncIterable<readonly ModelPart[]> {
  return stream.batches?.() ?? single(stream);
}

/** A stream over groups. They are asked for when its reader asks for the first part. */
export function streamOf(batches: () => AsyncIterable<readonly ModelPart[]>): ModelStream {
  return { batches, [Symbol.asyncIterator]: () => partsOf(batches) };
}

async function* partsOf(batches: () => AsyncIterable<readonly ModelPart[]>): AsyncGenerator<ModelPart> {
  for await (const batch of batches()) yield* batch;
}

async function* single(stream: ModelStream): AsyncGenerator<readonly ModelPart[]> {
  for await (const part of stream) yield [part];
}
