import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { isCastellanError } from "../protocol/index.ts";
import { type ArtifactBody, MOST_ARTIFACT_BYTES, memoryArtifacts, putArtifact } from "./index.ts";

const platform = nodePlatform();
const utf8 = new TextEncoder();

function streamOf(...chunks: unknown[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as Uint8Array);
      controller.close();
    },
  });
}

describe("putArtifact", () => {
  it.each<[string, ArtifactBody]>([
    ["a string", "größe"],
    ["bytes", utf8.encode("größe")],
    ["a part of a larger buffer", utf8.encode("..größe..").subarray(2, -2)],
    ["a Buffer", Buffer.from("größe")],
    ["a Blob", new Blob(["grö", "ße"])],
    [
      "a stream cut inside a character",
      streamOf(utf8.encode("größe").subarray(0, 3), utf8.encode("größe").subarray(3)),
    ],
  ])("stores %s", async (_name, body) => {
    const store = memoryArtifacts();
    const ref = await putArtifact(store, platform, body, "text/plain; charset=utf-8");
    expect(ref).toEqual({
      id: expect.stringMatching(/^art_[a-z0-9]{12}$/),
      hash: platform.sha256("größe"),
      size: 7,
      mediaType: "text/plain; charset=utf-8",
    });
    expect(new TextDecoder().decode(await store.get(ref.hash))).toBe("größe");
  });

  it("stores the bytes of the moment, whatever their owner does with them meanwhile", async () => {
    const put: Uint8Array[] = [];
    const store = { ...memoryArtifacts(), put: async (bytes: Uint8Array) => String(put.push(bytes)) };
    const bytes = Buffer.from("abc");
    const storing = putArtifact(store, platform, bytes, "text/plain");
    bytes.fill(0);
    await storing;
    expect(new TextDecoder().decode(put[0])).toBe("abc");
  });

  it("gives each call an id of its own and stores equal bytes once", async () => {
    const store = memoryArtifacts();
    const first = await putArtifact(store, platform, "x", "text/plain");
    const second = await putArtifact(store, platform, "x", "text/html");
    expect(first.id).not.toBe(second.id);
    expect(first.hash).toBe(second.hash);
    expect(await store.list()).toHaveLength(1);
  });

  it.each([
    ["no media type", "x", undefined, /media type of an artifact is undefined.*type\/subtype/],
    ["an empty media type", "x", "", /media type of an artifact is "".*type\/subtype/],
    ["a media type without subtype", "x", "text", /"text"/],
    ["a media type with a line break", "x", "text/plain\nx: y", /media type/],
    ["null", null, "text/plain", /body of an artifact is null.*Uint8Array/],
    ["a number", 5, "text/plain", /body of an artifact is number/],
    ["an array", [1, 2], "text/plain", /body of an artifact is an array/],
    ["an object", { a: 1 }, "text/plain", /body of an artifact is object/],
    ["a stream of text", streamOf("text"), "text/plain", /gave string.*TextEncoderStream/],
    ["too many bytes", new Uint8Array(MOST_ARTIFACT_BYTES + 1), "text/plain", /100000001 bytes.*100 MB/],
  ])("refuses %s", async (_name, body, mediaType, message) => {
    const store = memoryArtifacts();
    const failing = putArtifact(store, platform, body as ArtifactBody, mediaType as string);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toSatisfy((error) => isCastellanError(error, "artifact_invalid"));
    expect(await store.list()).toEqual([]);
  });

  it("refuses a stream that somebody reads, and passes on the error of one that breaks", async () => {
    const taken = streamOf(utf8.encode("x"));
    taken.getReader();
    await expect(putArtifact(memoryArtifacts(), platform, taken, "text/plain")).rejects.toThrow(/tee\(\)/);
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("cut")),
    });
    await expect(putArtifact(memoryArtifacts(), platform, broken, "text/plain")).rejects.toThrow("cut");
  });

  it("stops an endless stream at the limit and cancels it", async () => {
    let cancelled = false;
    const chunk = new Uint8Array(10_000_000);
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(chunk),
      cancel: () => {
        cancelled = true;
      },
    });
    await expect(putArtifact(memoryArtifacts(), platform, endless, "text/plain")).rejects.toThrow(/100 MB/);
    expect(cancelled).toBe(true);
  });
});
