import { createHost, type SDKMessage, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete } from "@castellan/sdk/testing";
import { expect, it } from "vitest";
import { answering, sizeOf, textIn } from "../kit/compacting.ts";
import { scratch } from "../kit/session.ts";
import { refusals } from "../kit/wire-check.ts";

const TURNS = 1_000;
const WINDOW = 12_000;
const RULE = "Never delete a row, and tell me at the end how many there were.";

const row = tool("row", "Reads a row.", { n: "integer" }, ({ n }) => ({
  content: [{ type: "text", text: `row ${n}: ${"figure ".repeat(100)}` }],
}));

it("a session of 1,000 turns stays within its window, and right to its end", {
  timeout: 120_000,
}, async () => {
  const store = memoryStore();
  const host = createHost({ store });
  const model = answering(
    (_, turn) => {
      if (turn > TURNS) return { text: `There were ${TURNS} rows.` };
      if (turn === TURNS) return { calls: [{ name: "Recall", input: { offset: 2 * 500, limit: 1 } }] };
      return { calls: [{ name: "row", input: { n: turn } }] };
    },
    { contextWindow: WINDOW },
  );
  const messages: SDKMessage[] = [];
  const options = {
    ...{ model, cwd: scratch(), tools: [row, "Recall"], allowedTools: ["row"] },
    systemPrompt: "You read rows.",
  };
  for await (const message of host.query({ prompt: `Read every row. ${RULE}`, options }))
    messages.push(message);
  assertComplete(messages);
  expect(messages.at(-1)).toMatchObject({
    type: "result",
    subtype: "success",
    result: `There were ${TURNS} rows.`,
    num_turns: TURNS + 1,
  });
  const sums = messages.filter((each) => "subtype" in each && each.subtype === "compact_boundary");
  expect(sums.length).toBeGreaterThan(20);
  expect(model.summaries).toHaveLength(sums.length);

  // What a turn handles does not grow: neither the request, nor what a summary is made of.
  const sizes = model.requests.map(sizeOf);
  expect(Math.max(...sizes) / 4).toBeLessThan(WINDOW);
  expect(Math.max(...sizes.slice(-100))).toBeLessThan(1.1 * Math.max(...sizes.slice(50, 150)));
  const told = model.summaries.map(sizeOf);
  expect(told.at(-1)).toBeLessThan(1.2 * (told[1] ?? 0));
  const counts = model.requests.map((request) => request.messages.length);
  const behind = model.requests.filter((_, at) => (counts[at] ?? 0) < (counts[at - 1] ?? 0));
  expect(behind).toHaveLength(sums.length);
  for (const request of behind.filter((_, at) => at % 5 === 0)) expect(await refusals(request)).toEqual([]);
  for (const request of behind) expect(textIn(request)).toContain(RULE);

  // Row 500 was summed up long ago; the model finds it as it was.
  expect(textIn(model.requests.at(-1) as never)).toMatch(
    /#1000 results of tools\\n\[result of row\]\\nrow 500: figure/,
  );
  const all = await host.sessions.messages(messages[0]?.session_id as string);
  expect(all.filter(({ type }) => type === "assistant")).toHaveLength(TURNS + 1);
  await host.close();
});
