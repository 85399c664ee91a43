import { CastellanError } from "../protocol/index.ts";

/** What may be stored as an artifact. */
export type ArtifactBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** 100 MB. */
export const MOST_ARTIFACT_BYTES: number = 100_000_000;

/** The bytes of a body, for the caller alone: later changes of the body do not reach them. Text becomes UTF-8. A stream is read no further than the limit, and then cancelled. */
export async function readBody(body: unknown): Promise<Uint8Array> {
  if (typeof body === "string") return checked(new TextEncoder().encode(body));
  if (body instanceof Uint8Array) return Uint8Array.from(checked(body));
  if (body instanceof Blob) {
    if (body.size > MOST_ARTIFACT_BYTES) throw tooLarge(String(body.size));
    return new Uint8Array(await body.arrayBuffer());
  }
  if (body instanceof ReadableStream) return readStream(body as ReadableStream<unknown>);
  const got = body === null ? "null" : Array.isArray(body) ? "an array" : typeof body;
  throw new CastellanError("artifact_invalid", `The body of an artifact is ${got}.`, {
    subject: "body",
    fix: "Give a string, a Uint8Array, a Blob or a ReadableStream of Uint8Array.",
  });
}

async function readStream(stream: ReadableStream<unknown>): Promise<Uint8Array> {
  if (stream.locked) {
    throw new CastellanError(
      "artifact_invalid",
      "The stream of an artifact is read by somebody else already.",
      {
        subject: "body",
        fix: "Give a stream that nobody reads, for instance one branch of tee().",
      },
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!(next.value instanceof Uint8Array)) {
        throw new CastellanError("artifact_invalid", `The stream of an artifact gave ${typeof next.value}.`, {
          subject: "body",
          fix: "Let it give Uint8Array chunks; a TextEncoderStream turns text into them.",
        });
      }
      size += next.value.byteLength;
      if (size > MOST_ARTIFACT_BYTES) throw tooLarge(`more than ${MOST_ARTIFACT_BYTES}`);
      chunks.push(next.value);
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {});
    throw error;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function checked(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > MOST_ARTIFACT_BYTES) throw tooLarge(String(bytes.byteLength));
  return bytes;
}

function tooLarge(size: string): CastellanError {
  return new CastellanError("artifact_invalid", `An artifact of ${size} bytes is over the limit of 100 MB.`, {
    subject: "body",
    fix: "Store it in parts, or keep it in a file and return its path.",
  });
}
