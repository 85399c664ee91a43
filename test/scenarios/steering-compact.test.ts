import { type Options, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { expect, it } from "vitest";
import { clientOf, response, resultOf } from "../kit/client.ts";
import { gate, said } from "../kit/live.ts";

it("the order to sum up waits again where an interrupt meets a hook of the message beside it", async () => {
  const [working, thinking] = [gate(), gate()];
  const work = tool("work", "Works.", {}, async () => {
    await working.wait();
    return { content: [{ type: "text", text: "done" }] };
  });
  let prompts = 0;
  const hook = () => {
    prompts += 1;
    return prompts === 2 ? thinking.wait().then(() => ({})) : {};
  };
  const hooks: Options["hooks"] = { UserPromptSubmit: [{ hooks: [hook] }] };
  const model = scriptedModel([{ toolCalls: [{ name: "work" }] }, "a summary", "more it is"]);
  await using client = clientOf({ model, tools: [work], allowedTools: ["work"], hooks });
  await client.query("first");
  await working.reached;
  await client.query(said("/compact", { priority: "next" }));
  await client.query(said("more", { priority: "next" }));
  working.open();
  await thinking.reached;
  await client.interrupt();
  expect(resultOf(await response(client))).toMatchObject({ terminal_reason: "interrupted" });
  const results = [resultOf(await response(client)), resultOf(await response(client))];
  expect(results.map((result) => "result" in result && result.result)).toEqual([
    expect.stringMatching(/^Nothing was summed up/),
    "more it is",
  ]);
});
