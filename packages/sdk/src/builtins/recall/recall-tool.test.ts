import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "../../protocol/index.ts";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
afterEach(() => kit.remove());

const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const recall = (input: { offset: number; limit?: number }) => kit.call("Recall", input);

describe("Recall", () => {
  it("shows messages under their numbers, calls and results too, and no thoughts", async () => {
    const history: Message[] = [
      user("Go."),
      {
        role: "assistant",
        id: "m",
        parts: [
          { type: "reasoning", text: "a secret thought" },
          { type: "toolCall", id: "c", name: "Read", input: { file_path: "/w/a" } },
        ],
      },
      {
        role: "tool",
        parts: [
          {
            type: "toolResult",
            callId: "c",
            name: "Read",
            content: [{ type: "text", text: "gone" }],
            isError: true,
          },
        ],
      },
      {
        role: "user",
        parts: [{ type: "file", mediaType: "image/png", ref: { kind: "data", base64: "eA==" } }],
      },
    ];
    kit = await builtinKit({ history });
    const { text, isError } = await recall({ offset: 1, limit: 2 });
    expect(isError).toBe(false);
    expect(text).toBe(
      '#1 agent\n[call of Read: {"file_path":"/w/a"}]\n\n#2 results of tools\n[error of Read]\ngone\n\n' +
        "[Messages 1 to 2 of 4. Go on with offset 3.]",
    );
    expect((await recall({ offset: 3 })).text).toBe(
      "#3 user\n[file: image/png]\n\n[Messages 3 to 3 of 4: the last one that was summed up.]",
    );
    expect((await recall({ offset: 0 })).text).not.toContain("secret");
  });

  it("gives no more than there is room for, and more of one that is asked for alone", async () => {
    const history = Array.from({ length: 50 }, (_, i) => user(`${i} ${"x".repeat(20_000)} end of ${i}`));
    kit = await builtinKit({ history });
    const many = (await recall({ offset: 10, limit: 40 })).text;
    expect(many.length).toBeLessThan(31_000);
    expect(many).toMatch(/characters are left out[\s\S]*end of 10/);
    const next = Number(/Go on with offset (\d+)/.exec(many)?.[1]);
    expect(next).toBeGreaterThan(12);
    expect(many).toContain(`#${next - 1} user`);
    const one = (await recall({ offset: 10, limit: 1 })).text;
    expect(one).not.toContain("left out");
    expect(one.length).toBeGreaterThan(20_000);
  });

  it("says what is wrong: nothing there, a number beyond the end, a number that is none", async () => {
    kit = await builtinKit({ history: [] });
    expect((await recall({ offset: 0 })).text).toMatch(/Nothing was summed up/);
    await kit.remove();
    kit = await builtinKit({ history: [user("a")] });
    expect(await recall({ offset: 1 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/numbers 0 to 0/),
    });
    for (const bad of [{ offset: -1 }, { offset: 0.5 }, { offset: 0, limit: 0 }]) {
      expect((await recall(bad)).isError).toBe(true);
    }
  });

  it("reads, and needs no rule", async () => {
    kit = await builtinKit();
    const tool = kit.tools.find(({ name }) => name === "Recall");
    expect(tool?.isReadOnly({ offset: 0 })).toBe(true);
    expect(tool?.isConcurrencySafe({ offset: 0 })).toBe(true);
    expect(tool?.allowedByItself).toBe(true);
  });
});
