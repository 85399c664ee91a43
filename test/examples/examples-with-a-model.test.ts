import { expect, it, onTestFinished } from "vitest";
import { type Loopback, type LoopbackStep, startLoopback } from "../loopback/index.ts";
import { runExample } from "./run-example.ts";

async function loopback(turns: readonly LoopbackStep[] | (() => string)): Promise<Loopback> {
  const server = await startLoopback({ turns });
  onTestFinished(() => server.close());
  return server;
}

it("local-model talks to the server at the address", async () => {
  const server = await loopback([
    { toolCalls: [{ name: "clock", input: { city: "Bergen" } }] },
    "Half past nine, says the server.",
  ]);
  const end = await runExample("local-model", { args: [server.baseURL, "small"] });
  expect(end.code).toBe(0);
  expect(end.stdout).toContain("result clock: 09:30");
  expect(end.stdout).toContain("Half past nine, says the server.");
  expect(end.stdout).not.toContain("a script stands for the model");
  const [first, second] = server.requests;
  expect(first).toMatchObject({ path: "/v1/chat/completions", body: { model: "small" } });
  expect(first?.headers.authorization).toBeUndefined();
  expect(first?.body.tools.map((each: { function: { name: string } }) => each.function.name)).toEqual([
    "clock",
  ]);
  expect(second?.body.messages.at(-1)).toMatchObject({ role: "tool", content: "09:30" });
});

it.each([
  "read-only-audit",
  "order-lookup",
  "long-tool",
  "json-schema",
  "weather-tool",
  "bare-names",
  "callback-policy",
  "hook-blocks-rm",
  "wait-for-approval",
  "approve-elsewhere",
  "multi-turn-client",
  "two-queries",
])("%s takes the model that CASTELLAN_MODEL names", async (name) => {
  const server = await loopback(() => "Said by the server.");
  const end = await runExample(name, { env: { CASTELLAN_MODEL: `${server.baseURL}#any` } });
  expect(end.stderr).toBe("");
  expect(end.code).toBe(0);
  expect(end.stdout).toContain("Said by the server.");
  expect(server.requests.length).toBeGreaterThan(0);
  expect(server.requests.map(({ refused }) => refused)).toEqual(server.requests.map(() => undefined));
});
