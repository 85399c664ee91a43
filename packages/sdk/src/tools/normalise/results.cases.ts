import type { ResultPart } from "../../protocol/index.ts";

const text = (value: string): ResultPart => ({ type: "text", text: value });
const block = (value: unknown): object => ({ content: [value] });
const file = (mediaType: string, base64: string, name?: string): ResultPart => ({
  type: "file",
  mediaType,
  ref: { kind: "data", base64 },
  ...(name === undefined ? {} : { name }),
});
const hash = "a".repeat(64);
const png = { id: "art_1", hash, size: 3, mediaType: "image/png" };
const csv = { id: "art_2", hash, size: 9, mediaType: "text/csv" };

/** Well-formed results: what the model gets, and whether as an error. */
export const GOOD_RESULTS: readonly (readonly [
  name: string,
  raw: unknown,
  content: readonly ResultPart[],
  isError?: boolean,
  structured?: unknown,
])[] = [
  ["one text", block({ type: "text", text: "hi" }), [text("hi")]],
  [
    "two texts in order",
    {
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    },
    [text("a"), text("b")],
  ],
  [
    "a text with annotations",
    block({ type: "text", text: "a", annotations: { audience: ["user"] }, _meta: {} }),
    [text("a")],
  ],
  ["isError false", { content: [{ type: "text", text: "a" }], isError: false }, [text("a")]],
  ["isError", { content: [{ type: "text", text: "no" }], isError: true }, [text("no")], true],
  ["is_error", { content: [{ type: "text", text: "no" }], is_error: true }, [text("no")], true],
  [
    "both flags alike",
    { content: [{ type: "text", text: "no" }], isError: true, is_error: true },
    [text("no")],
    true,
  ],
  ["a flag that is null", { content: [{ type: "text", text: "a" }], isError: null }, [text("a")]],
  ["an error without words", { isError: true }, [text("tool failed")], true],
  ["an error with an empty list", { content: [], is_error: true }, [text("tool failed")], true],
  [
    "an error with a blank text",
    { content: [{ type: "text", text: " " }], isError: true },
    [text("tool failed")],
    true,
  ],
  ["an empty list", { content: [] }, [text("(no output)")]],
  ["a blank text", block({ type: "text", text: "\n" }), [text("(no output)")]],
  ["an image", block({ type: "image", data: "aGk=", mimeType: "image/png" }), [file("image/png", "aGk=")]],
  [
    "an image over several lines",
    block({ type: "image", data: "aG\nk=\n", mimeType: "image/png" }),
    [file("image/png", "aGk=")],
  ],
  ["audio", block({ type: "audio", data: "aGk=", mimeType: "audio/wav" }), [file("audio/wav", "aGk=")]],
  [
    "text and image",
    {
      content: [
        { type: "text", text: "a" },
        { type: "image", data: "aGk=", mimeType: "image/gif" },
      ],
    },
    [text("a"), file("image/gif", "aGk=")],
  ],
  [
    "a resource link",
    block({ type: "resource_link", uri: "file:///x", name: "x", description: "the x" }),
    [text("Resource: x\nURI: file:///x\nthe x")],
  ],
  [
    "a resource link without words",
    block({ type: "resource_link", uri: "file:///x" }),
    [text("Resource: file:///x\nURI: file:///x")],
  ],
  [
    "an embedded text",
    block({ type: "resource", resource: { uri: "file:///x", text: "inside" } }),
    [text("inside")],
  ],
  [
    "an embedded text without a uri",
    block({ type: "resource", resource: { text: "inside" } }),
    [text("inside")],
  ],
  [
    "a blob",
    block({
      type: "resource",
      resource: { uri: "file:///x.pdf", blob: "aGk=", mimeType: "application/pdf" },
    }),
    [file("application/pdf", "aGk=", "file:///x.pdf")],
  ],
  [
    "a blob without a type",
    block({ type: "resource", resource: { blob: "aGk=" } }),
    [file("application/octet-stream", "aGk=")],
  ],
  ["structured content alone", { structuredContent: { n: 1 } }, [text('{"n":1}')], false, { n: 1 }],
  [
    "structured content beside an empty list",
    { content: [], structuredContent: { n: 1 } },
    [text('{"n":1}')],
    false,
    { n: 1 },
  ],
  [
    "structured content beside content",
    { content: [{ type: "text", text: "one" }], structuredContent: { n: 1 } },
    [text("one")],
    false,
    { n: 1 },
  ],
  ["an output that is a text", { success: true, output: "done" }, [text("done")]],
  [
    "an output that is an object",
    { success: true, output: { a: [1, null] } },
    [text('{"a":[1,null]}')],
    false,
    { a: [1, null] },
  ],
  ["an output that is a number", { success: true, output: 0 }, [text("0")], false, 0],
  ["an output that is false", { success: true, output: false }, [text("false")], false, false],
  ["an output that is null", { success: true, output: null }, [text("null")]],
  ["an output without success", { output: "done" }, [text("done")]],
  [
    "an output with undefined keys and a date",
    { output: { a: undefined, d: new Date(0) } },
    [text('{"d":"1970-01-01T00:00:00.000Z"}')],
    false,
    { d: "1970-01-01T00:00:00.000Z" },
  ],
  [
    "content wins over output",
    { content: [{ type: "text", text: "c" }], output: { o: 1 } },
    [text("c")],
    false,
    { o: 1 },
  ],
  ["success with a summary", { success: true, summary: "all well" }, [text("all well")]],
  ["success without words", { success: true }, [text("(no output)")]],
  ["failure with a summary", { success: false, summary: "no such city" }, [text("no such city")], true],
  ["failure without words", { success: false }, [text("tool failed")], true],
  [
    "failure with a summary and an output",
    { success: false, summary: "half", output: "rest" },
    [text("half"), text("rest")],
    true,
  ],
  ["failure told twice alike", { success: false, isError: true, summary: "no" }, [text("no")], true],
  [
    "artifacts",
    { success: true, output: "made", artifacts: [csv] },
    [text("made"), text("[artifact art_2: text/csv, 9 bytes]")],
  ],
  [
    "images",
    { success: true, images: [png] },
    [{ type: "file", mediaType: "image/png", ref: { kind: "artifact", hash, size: 3 }, name: "art_1" }],
  ],
  [
    "_meta stays with the host",
    { content: [{ type: "text", text: "a" }], _meta: { secret: 1 } },
    [text("a")],
  ],
];

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
const throwing = (): never => {
  throw new Error("boom");
};
const proxy = new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing });

/** Malformed results: words that the error must hold. All but the failures on purpose also say what to return. */
export const BAD_RESULTS: readonly (readonly [name: string, raw: unknown, ...words: string[]])[] = [
  ["undefined", undefined, "nothing (undefined)"],
  ["null", null, "null"],
  ["a text", "some text", "some text", "a string"],
  ["an empty text", "", "a string"],
  ["a number", 42, "42", "a number"],
  ["true", true, "true", "a boolean"],
  ["a big integer", 5n, "BigInt"],
  ["a symbol", Symbol("s"), "symbol"],
  ["a function", () => 1, "a function"],
  ["an array", [{ type: "text", text: "x" }], '"text":"x"', "an array"],
  ["an empty array", [], "[]", "an array"],
  ["an empty object", {}, "no keys"],
  ["an object without content", { result: 1, ok: true }, "its keys are result, ok"],
  ["only a false flag", { isError: false }, "its keys are isError"],
  ["only a summary", { summary: "x" }, "its keys are summary"],
  ["content that is undefined", { content: undefined, text: "x" }, "its keys are content, text"],
  ["a cyclic object", cyclic, "its keys are self"],
  ["a map", new Map([["content", []]]), "no keys"],
  ["content that is a text", { content: "x y z" }, "x y z", "list of blocks", "a string"],
  ["content that is null", { content: null }, "list of blocks", "null"],
  ["content that is an object", { content: { type: "text", text: "x" } }, "list of blocks"],
  ["a block that is a text", block("plain"), "content[0]", "plain"],
  ["a block that is null", block(null), "content[0]", "null"],
  ["a block that is a list", block([]), "content[0]", "an array"],
  ["a block without a type", block({ text: "x" }), "content[0]", "type"],
  ["a text block without its text", block({ type: "text" }), "content[0]", "text must be a string"],
  ["a text block with a number", block({ type: "text", text: 5 }), "text must be a string"],
  ["an image without data", block({ type: "image", mimeType: "image/png" }), "base64"],
  [
    "an image with a data URL",
    block({ type: "image", data: "data:image/png;base64,aGk=", mimeType: "image/png" }),
    "without a data: prefix",
  ],
  ["an image without a type", block({ type: "image", data: "aGk=" }), "mimeType must begin with image/"],
  [
    "an image that is audio",
    block({ type: "image", data: "aGk=", mimeType: "audio/wav" }),
    "mimeType must begin with image/",
  ],
  ["an image with broken base64", block({ type: "image", data: "aG", mimeType: "image/png" }), "base64"],
  ["audio without data", block({ type: "audio", mimeType: "audio/wav" }), "base64"],
  ["a link without a uri", block({ type: "resource_link", name: "x" }), "uri"],
  ["a resource without its object", block({ type: "resource" }), "resource must be an object"],
  ["a resource without text or blob", block({ type: "resource", resource: { uri: "x" } }), "text, or a blob"],
  ["only unknown blocks", block({ type: "video", data: "x" }), "video", "resource_link"],
  [
    "flags that disagree",
    { content: [], isError: true, is_error: false },
    "isError: true and is_error: false",
    "contradict",
  ],
  ["success and isError", { success: true, isError: true, output: "x" }, "contradict", "x"],
  ["failure that is no error", { success: false, isError: false, summary: "s" }, "contradict", "s"],
  ["a flag that is a text", { content: [], isError: "true" }, "isError must be true or false"],
  ["success that is a text", { success: "yes", output: "x" }, "success must be true or false"],
  ["an output that is a function", { success: true, output: () => 1 }, "output is not JSON", "a function"],
  ["a big integer inside the output", { output: { n: 1n } }, "it.n is a BigInt"],
  ["a cycle inside the output", { output: { a: cyclic } }, "it.a.self contains itself"],
  ["not a number inside the output", { output: [Number.NaN] }, "it[0] is NaN"],
  ["a map inside the output", { output: { m: new Map() } }, "it.m is a Map"],
  ["bytes as the output", { output: new Uint8Array(3) }, "Uint8Array"],
  [
    "structured content that is no JSON",
    { content: [{ type: "text", text: "kept" }], structuredContent: { f: () => 1 } },
    "structuredContent is not JSON",
    "kept",
  ],
  ["artifacts that are no list", { success: true, artifacts: "x" }, "artifacts must be a list"],
  [
    "an artifact that is none",
    { success: true, artifacts: [csv, { id: "x" }] },
    "artifacts[1] is no stored artifact",
    "context.artifacts.put",
  ],
  ["an image entry that is no image", { success: true, images: [csv] }, "images[0] is no stored image"],
  [
    "an image entry that is a path",
    { success: true, images: ["/tmp/x.png"] },
    "images[0] is no stored image",
  ],
  [
    "a getter that throws",
    {
      get content() {
        return throwing();
      },
    },
    "boom",
  ],
  [
    "a getter that throws in a block",
    block({
      type: "text",
      get text() {
        return throwing();
      },
    }),
    "boom",
  ],
  [
    "a getter that throws in the output",
    {
      output: {
        get x() {
          return throwing();
        },
      },
    },
    "boom",
  ],
  ["toJSON that throws", { output: { toJSON: throwing } }, "boom"],
  ["a proxy that always throws", proxy, "boom"],
  ["a revoked proxy", revoked(), "revoked"],
  [
    "a list that lies about its length",
    { content: new Proxy([], { get: (_, key) => (key === "length" ? 4e9 : undefined) }) },
    "content",
  ],
  ["an output nested without end", { output: nested(5_000) }, "nested too deeply"],
];

function revoked(): object {
  const { proxy: gone, revoke } = Proxy.revocable({}, {});
  revoke();
  return gone;
}

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level++) value = { value };
  return value;
}
