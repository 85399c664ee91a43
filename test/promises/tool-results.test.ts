import {
  type HandlerContext,
  invokeTool,
  isCastellanError,
  query,
  type ToolResult,
  tool,
} from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { once, resultBlock, resultText, run, scratch } from "../kit/session.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const handler = (execute: unknown) =>
  tool("probe", "Does what the test says.", {}, execute as never, { riskLevel: "low" });

async function answer(execute: unknown, turns = once("probe")) {
  const outcome = await run(turns, { tools: [handler(execute)] });
  return {
    ...outcome,
    text: outcome.texts[0] ?? "",
    isError: resultBlock(outcome.users[0]).is_error === true,
  };
}

describe("what comes back", () => {
  it("Q05 the signal fires when the call is cancelled; a handler that watches it stops early and its partial answer is the result", async () => {
    for (const [stop, code] of [
      ["interrupt", "interrupt"],
      ["close", "close"],
      ["abort", "abort"],
      ["timeout", "timeout"],
    ] as const) {
      const reasons: unknown[] = [];
      const abortController = new AbortController();
      const probe = tool(
        "probe",
        "Counts until it is told to stop.",
        {},
        async (_args, { signal }) => {
          const stopped = new Promise<void>((resolve) =>
            signal.addEventListener("abort", () => resolve(), { once: true }),
          );
          if (stop === "interrupt") void session.interrupt();
          else if (stop === "close") void session.close();
          else if (stop === "abort") abortController.abort();
          await stopped;
          reasons.push((signal.reason as { code?: unknown }).code);
          return { content: [{ type: "text", text: "got as far as 3" }] };
        },
        { riskLevel: "low", ...(stop === "timeout" ? { timeoutMs: 20 } : {}) },
      );
      const model = scriptedModel([{ toolCalls: [{ name: "probe" }] }, "done"]);
      const options = { cwd: scratch(), model, persistSession: false, tools: [probe], abortController };
      const session = query({ prompt: "go", options });
      const texts: string[] = [];
      try {
        for await (const message of session) if (message.type === "user") texts.push(resultText(message));
      } catch (error) {
        if (!isCastellanError(error, "aborted")) throw error;
      }
      expect(reasons, stop).toEqual([code]);
      // The iterator of a closed session ends at once.
      if (stop !== "close") expect(texts.join("\n"), stop).toContain("got as far as 3");
    }
  });

  it("Q32 text, image, resource link and embedded text resource reach the model", async () => {
    const { model, users } = await answer(() => ({
      content: [
        { type: "text", text: "Here:" },
        { type: "image", data: PNG, mimeType: "image/png" },
        { type: "resource_link", uri: "file:///a.md", name: "Notes", description: "What was said." },
        { type: "resource", resource: { uri: "file:///b.md", text: "embedded words" } },
      ],
    }));
    const seen = model.requests[1]?.messages.at(-1);
    expect(seen).toMatchObject({
      role: "tool",
      parts: [
        {
          isError: false,
          content: [
            { type: "text", text: "Here:" },
            { type: "file", mediaType: "image/png", ref: { kind: "data", base64: PNG } },
            { type: "text", text: "Resource: Notes\nURI: file:///a.md\nWhat was said." },
            { type: "text", text: "embedded words" },
          ],
        },
      ],
    });
    const { content } = resultBlock(users[0]);
    expect(Array.isArray(content) && content.map(({ type }) => type)).toEqual([
      "text",
      "image",
      "text",
      "text",
    ]);
  });

  it("Q33 both spellings of the error flag work, and two that disagree are an error", async () => {
    const content = [{ type: "text", text: "No such order." }];
    for (const flags of [{ isError: true }, { is_error: true }, { isError: true, is_error: true }]) {
      const { text, isError } = await answer(() => ({ content, ...flags }));
      expect([text, isError]).toEqual(["No such order.", true]);
    }
    for (const flags of [{}, { isError: false }, { is_error: false }])
      expect((await answer(() => ({ content, ...flags }))).isError).toBe(false);
    expect((await answer(() => ({ content, isError: false, is_error: true }))).text).toContain("is_error");
  });

  it("N03 {success: true, output}: any JSON value; {success: false, summary}: the error; empty: tool failed", async () => {
    for (const [output, text] of [
      ["plain", "plain"],
      [{ a: [1, null] }, '{"a":[1,null]}'],
      [[1, 2], "[1,2]"],
      [0, "0"],
      [false, "false"],
      [null, "null"],
    ] as const) {
      const outcome = await answer((): ToolResult => ({ success: true, output: output as never }));
      expect([outcome.text, outcome.isError]).toEqual([text, false]);
    }
    const failed = await answer(() => ({ success: false, summary: "The shop is closed." }));
    expect([failed.text, failed.isError]).toEqual(["The shop is closed.", true]);
    const empty = await answer(() => ({ success: false }));
    expect([empty.text, empty.isError]).toEqual(["tool failed", true]);
  });

  it("N04 a throw is recorded as a failure and the turn goes on", async () => {
    const { text, isError, result, model } = await answer(() => {
      throw new Error("out of paper");
    });
    expect([text, isError]).toEqual(["out of paper", true]);
    expect(result).toMatchObject({ subtype: "success", result: "done", num_turns: 2 });
    expect(model.requests).toHaveLength(2);
  });

  it("N05 artifacts.put gives a reference; results carry artifacts; images go to models that see", async () => {
    const refs: unknown[] = [];
    const { model, text } = await answer(async (_args: unknown, { artifacts }: { artifacts: Puts }) => {
      const bytes = Buffer.from(PNG, "base64");
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array([1, 2]));
          controller.close();
        },
      });
      const notes = await artifacts.put("four", "text/plain");
      const image = await artifacts.put(new Uint8Array(bytes), "image/png");
      const blob = await artifacts.put(new Blob(["abc"]), "application/octet-stream");
      const piped = await artifacts.put(stream, "application/octet-stream");
      refs.push(notes, image, blob, piped);
      return { success: true, output: "made", artifacts: [notes, blob, piped], images: [image] };
    });
    expect(refs).toMatchObject([{ size: 4 }, { mediaType: "image/png" }, { size: 3 }, { size: 2 }]);
    expect(text).toContain("made");
    for (const { id } of [refs[0], refs[2], refs[3]] as { id: string }[]) expect(text).toContain(id);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      parts: [{ content: expect.arrayContaining([expect.objectContaining({ mediaType: "image/png" })]) }],
    });
    expect(model.requests[1]?.messages.length).toBe(3);

    const made = { id: "art_made_up", hash: "0".repeat(64), size: 3 };
    for (const [field, entry, named] of [
      ["images", { ...made, mediaType: "image/png" }, "art_made_up (images)"],
      ["artifacts", { ...made, mediaType: "text/plain" }, "art_made_up (artifacts)"],
      ["images", refs[0], "images[0] is no stored image"],
      ["images", "photo.png", "images[0] is no stored image"],
    ] as const) {
      const bad = await answer(() => ({ success: true, output: "made", [field]: [entry] }));
      expect(bad.isError, named).toBe(true);
      expect(bad.text).toContain(named);
    }

    for (const put of [
      (artifacts: Puts) => artifacts.put("x", "" as never),
      (artifacts: Puts) => artifacts.put("x", undefined as never),
      (artifacts: Puts) => artifacts.put(5 as never, "text/plain"),
      (artifacts: Puts) => artifacts.put(new Blob([new Uint8Array(100_000_001)]), "text/plain"),
    ]) {
      const refused = await answer(async (_args: unknown, { artifacts }: { artifacts: Puts }) => {
        await put(artifacts);
        return { content: [] };
      });
      expect(refused.isError).toBe(true);
      expect(refused.text).toMatch(/media type|body|100 MB/);
    }
  });

  it("n06 in part: metadata.taskId names the session that calls", async () => {
    let task: unknown;
    const { messages } = await answer((_args: unknown, context: { metadata: { taskId: string } }) => {
      task = context.metadata.taskId;
      return { content: [] };
    });
    expect(task).toBe(messages[0]?.session_id);
  });

  it("N12 a scripted model drives a tool in an offline test that asserts it ran", async () => {
    const ran: unknown[] = [];
    const add = tool(
      "add",
      "Adds.",
      { a: "number", b: "number" },
      ({ a, b }) => {
        ran.push([a, b]);
        return { success: true, output: a + b };
      },
      { riskLevel: "low" },
    );
    const { result, model } = await run(
      [{ toolCalls: [{ name: "add", input: { a: 1, b: 2 } }] }, "It is 3."],
      { tools: [add] },
    );
    expect(ran).toEqual([[1, 2]]);
    expect(result.result).toBe("It is 3.");
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('"text":"3"');
    expect(await invokeTool(add, { a: 2, b: 2 })).toEqual({ success: true, output: 4 });
  });
});

type Puts = HandlerContext["artifacts"];
