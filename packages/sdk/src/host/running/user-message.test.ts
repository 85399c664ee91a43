import { describe, expect, it } from "vitest";
import { isCastellanError } from "../../protocol/index.ts";
import { readUserMessage, textPrompt } from "./user-message.ts";

const said = (content: unknown, more: object = {}) => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});
const image = (source: unknown) => [{ type: "image", source }];

describe("a message of a prompt stream", () => {
  it.each<readonly [unknown, unknown, string]>([
    [said("hello"), [{ type: "text", text: "hello" }], "later"],
    [
      said("x", { priority: "now", session_id: "any", uuid: "u", parent_tool_use_id: null }),
      [{ type: "text", text: "x" }],
      "now",
    ],
    [said([{ type: "text", text: "" }], { priority: "next" }), [{ type: "text", text: "" }], "next"],
    [
      said(image({ type: "base64", media_type: "image/png", data: "AA==" })),
      [{ type: "file", mediaType: "image/png", ref: { kind: "data", base64: "AA==" } }],
      "later",
    ],
    [
      said(image({ type: "url", url: "https://example.org/a.png" })),
      [{ type: "file", mediaType: "image/*", ref: { kind: "url", url: "https://example.org/a.png" } }],
      "later",
    ],
  ])("%j is read", (given, parts, priority) => {
    expect(readUserMessage(given)).toMatchObject({ message: { role: "user", parts }, priority });
  });

  it("keeps its uuid, and needs none; nobody is its parent", () => {
    expect(readUserMessage(said("x", { uuid: "u", parent_tool_use_id: null }))).toHaveProperty("uuid", "u");
    expect(readUserMessage(said("x", { session_id: "" }))).not.toHaveProperty("uuid");
  });

  it.each<readonly [unknown, RegExp]>([
    ["hello", /message is "hello".*Yield \{type: "user"/],
    [undefined, /message is undefined/],
    [null, /message is null/],
    [[], /message is an empty list/],
    [{}, /message\.type is undefined\. It must be "user"/],
    [{ type: "assistant" }, /message\.type is "assistant"/],
    [{ type: "user" }, /message\.message is undefined/],
    [{ type: "user", message: "hi" }, /message\.message is "hi"/],
    [{ type: "user", message: { content: "hi" } }, /message\.message\.role is undefined/],
    [said(undefined), /content is undefined/],
    [said(""), /content is ""/],
    [said([]), /content is an empty list/],
    [said({ type: "text", text: "x" }), /content is an object.*list of blocks/],
    [said(["text"]), /content\[0\] is "text"/],
    [said([{ type: "text", text: "a" }, { type: "text" }]), /content\[1\]\.text is undefined/],
    [said([{ type: "video" }]), /content\[0\]\.type is "video"/],
    [
      said([{ type: "tool_result", tool_use_id: "1" }]),
      /tool_result".*Results come from the tools that run here/,
    ],
    [said(image(undefined)), /content\[0\]\.source is undefined/],
    [said(image({ type: "base64", data: "AA==" })), /source is an object.*media_type/],
    [said(image({ type: "url", url: "" })), /source is an object/],
    [said("x", { priority: "soon" }), /message\.priority is "soon"/],
    [said("x", { uuid: 1 }), /message\.uuid is 1\. It must be a text/],
    [said("x", { uuid: "" }), /message\.uuid is ""/],
    [said("x", { parent_tool_use_id: "t1" }), /parent_tool_use_id is "t1"\. It must be null/],
  ])("%j is refused", (given, message) => {
    let error: unknown;
    try {
      readUserMessage(given);
    } catch (thrown) {
      error = thrown;
    }
    expect(isCastellanError(error, "invalid_option")).toBe(true);
    expect(error).toMatchObject({ subject: "prompt", message: expect.stringMatching(message) });
  });

  it("a string prompt queues behind nothing", () => {
    expect(textPrompt("go")).toEqual({
      message: { role: "user", parts: [{ type: "text", text: "go" }] },
      priority: "later",
    });
  });
});
