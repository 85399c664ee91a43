import { type JsonSchema, type LanguageModel, type ModelPart, type Options, query } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { resultBlock, run, scratch } from "../kit/session.ts";

const schema: JsonSchema = {
  type: "object",
  properties: { city: { type: "string" }, people: { type: "integer", minimum: 0 } },
  required: ["city", "people"],
  additionalProperties: false,
};
const outputFormat = { type: "json_schema", schema } as const;
const bern = { city: "Bern", people: 146_000 };
const give = (input: object, text?: string): ScriptStep => ({
  ...(text === undefined ? {} : { text }),
  toolCalls: [{ name: "StructuredOutput", input: input as never }],
});
const ask = (steps: readonly ScriptStep[], options: Options = {}) => run(steps, { outputFormat, ...options });

describe("an answer as data", () => {
  it("ends the turn with the accepted call, without another request", async () => {
    const { result, model } = await ask([give(bern), "never asked"]);
    expect(result).toMatchObject({ subtype: "success", structured_output: bern, num_turns: 1 });
    expect(JSON.parse(result.result ?? "")).toEqual(bern);
    expect(model.requests).toHaveLength(1);
  });

  it("keeps the text that the model wrote beside it as the result's text", async () => {
    const { result } = await ask([give(bern, "Here it is.")]);
    expect(result).toMatchObject({ result: "Here it is.", structured_output: bern });
  });

  it("may come after other work, and beside other calls, which all run", async () => {
    const ls = { name: "LS", input: { path: "." } };
    const { result, texts } = await ask([
      { toolCalls: [ls] },
      { toolCalls: [{ name: "StructuredOutput", input: bern }, ls] },
    ]);
    expect(result.structured_output).toEqual(bern);
    expect(texts).toHaveLength(3);
  });

  it("shows the model its own schema, and only in such a session", async () => {
    const { model } = await ask([give(bern)]);
    const shown = model.requests[0]?.tools.find(({ name }) => name === "StructuredOutput");
    expect(shown?.inputSchema).toMatchObject(schema);
    const { model: plain } = await run(["done"]);
    expect(plain.requests[0]?.tools.map(({ name }) => name)).not.toContain("StructuredOutput");
  });

  it.each<[string, Options]>([
    ["with no other tools", { tools: [] }],
    ["with named tools", { tools: ["Read"] }],
    ["in plan mode", { permissionMode: "plan" }],
    ["in dontAsk", { permissionMode: "dontAsk" }],
  ])("needs no rule %s", async (_name, options) => {
    const { result } = await ask([give(bern)], options);
    expect(result).toMatchObject({ subtype: "success", structured_output: bern });
  });

  it("is asked for again when it does not fit, with what is wrong", async () => {
    const { result, users, model } = await ask([
      give({ city: "Bern" }),
      give({ ...bern, people: -1 }),
      give(bern),
    ]);
    expect(result).toMatchObject({ subtype: "success", structured_output: bern, num_turns: 3 });
    expect(users.map((user) => resultBlock(user).is_error === true)).toEqual([true, true, false]);
    expect(JSON.stringify(resultBlock(users[0]))).toContain("people");
    expect(model.requests).toHaveLength(3);
  });

  it("is asked for when the model only wrote text", async () => {
    const { result, model } = await ask(["Bern, I think.", give(bern)]);
    expect(result.structured_output).toEqual(bern);
    const reminder = model.requests[1]?.messages.at(-1);
    expect(reminder).toMatchObject({ role: "user" });
    expect(JSON.stringify(reminder)).toContain("StructuredOutput");
  });

  it.each([JSON.stringify(bern), `\`\`\`json\n${JSON.stringify(bern)}\n\`\`\``])(
    "may be text that is the data itself: %s",
    async (text) => {
      const { result } = await ask([text]);
      expect(result).toMatchObject({ subtype: "success", structured_output: bern });
    },
  );

  it("ends after three answers that do not fit, of whatever kind", async () => {
    const { result, model } = await ask([give({}), "Bern.", give({ city: 7 }), give(bern)]);
    expect(model.requests).toHaveLength(3);
    expect(result).toMatchObject({
      subtype: "error_max_structured_output_retries",
      terminal_reason: "max_structured_output_retries",
      is_error: true,
      errors: [expect.stringMatching(/in 3 tries.*people/s)],
    });
    expect(result).not.toHaveProperty("structured_output");
  });

  it("counts its tries anew for each message of a person", async () => {
    async function* prompts() {
      for (const content of ["one", "two"])
        yield { type: "user", message: { role: "user", content } } as const;
    }
    const model = scriptedModel(["no", "no", give(bern), "no", "no", give({ ...bern, people: 1 })]);
    const outputs = [];
    const options = { model, outputFormat, cwd: scratch(), persistSession: false };
    for await (const message of query({ prompt: prompts(), options })) {
      if (message.type === "result") outputs.push(message.structured_output);
    }
    expect(outputs).toEqual([bern, { ...bern, people: 1 }]);
  });

  it.each<[string, readonly ScriptStep[]]>([
    ["calls", [give({}), give({ city: 7 }), give({ people: 1 }), give(bern)]],
    ["texts", ["no", "never", "nothing", give(bern)]],
    ["both", [give({}), "no", give({}), give(bern)]],
  ])("has as many tries over resumes of the same message, of %s", async (_name, steps) => {
    const here = { sessionStore: memoryStore(), cwd: scratch() };
    const ends: (string | number)[][] = [];
    let resume: string | undefined;
    for (let at = 0; at < 3; at += 1) {
      const more = { ...here, maxTurns: at + 1, ...(resume === undefined ? {} : { resume }) };
      const { result, model } = await run(steps.slice(at), { outputFormat, ...more }, at === 0 ? "go" : "");
      ends.push([result.subtype, model.requests.length]);
      resume = result.session_id;
    }
    expect(ends).toEqual([
      ["error_max_turns", 1],
      ["error_max_turns", 1],
      ["error_max_structured_output_retries", 1],
    ]);
    // A new message has tries of its own.
    const next = { ...here, resume: resume ?? "" };
    const { result } = await ask(["no", "no", give(bern)], next);
    expect(result).toMatchObject({ subtype: "success", structured_output: bern });
  });

  it("counts a try once where a run ended behind it before the next request came to an answer", async () => {
    const here = { sessionStore: memoryStore(), cwd: scratch() };
    const failing: ScriptStep = { error: "gone", failure: { retryable: false } };
    const first = await ask([give({}), failing], here);
    expect(first.result.terminal_reason).toBe("model_error");
    const again = { ...here, outputFormat, resume: first.result.session_id };
    const second = await run([failing], again, "");
    expect(second.result.terminal_reason).toBe("model_error");
    const { result, model } = await run([give({}), give(bern)], again, "");
    expect(result).toMatchObject({ subtype: "success", structured_output: bern });
    expect(model.requests).toHaveLength(2);
  });

  it("counts on where the history is summed up between two tries", async () => {
    const requests: string[] = [];
    const model: LanguageModel = {
      ...{ id: "small", provider: "test", contextWindow: 8_000 },
      async *stream({ tools }): AsyncGenerator<ModelPart> {
        const isSummary = tools.length === 0;
        requests.push(isSummary ? "summary" : "try");
        const text = isSummary ? "Nothing yet." : `Bern, I think. ${"word ".repeat(2_000)}`;
        yield { type: "text", delta: text };
        yield { type: "usage", usage: { inputTokens: isSummary ? 100 : 7_500, outputTokens: 100 } };
        yield { type: "finish", stopReason: "end_turn" };
      },
    };
    const { result } = await ask([], { model: model as never, tools: [] });
    expect(result.subtype).toBe("error_max_structured_output_retries");
    expect(requests.filter((each) => each === "try")).toHaveLength(3);
    expect(requests).toContain("summary");
  });

  it("still stops at maxTurns", async () => {
    const { result } = await ask(["no", "no"], { maxTurns: 1 });
    expect(result.subtype).toBe("error_max_turns");
  });

  it("goes with a resumed session only where the option is given again", async () => {
    const sessionStore = memoryStore();
    const cwd = scratch();
    const first = await ask([give(bern)], { sessionStore, cwd });
    const again = await run(["plain"], { sessionStore, cwd, resume: first.result.session_id });
    expect(again.result).toMatchObject({ subtype: "success", result: "plain" });
    expect(again.result).not.toHaveProperty("structured_output");
    expect(again.messages.some((each) => each.type === "system" && each.subtype === "notification")).toBe(
      false,
    );
    expect(again.model.requests[0]?.tools.map(({ name }) => name)).not.toContain("StructuredOutput");
  });
});

describe("a format that can give no answer", () => {
  it.each<[unknown, RegExp]>([
    [{ type: "string" }, /outputFormat\.schema\.type is "string".*"object"/s],
    [{ type: "array", items: {} }, /outputFormat\.schema\.type is "array"/],
    [{ properties: { city: { type: "string" } } }, /outputFormat\.schema\.type is undefined.*properties/s],
  ])("is refused when it describes no object: %j", (other, message) => {
    const options = { outputFormat: { type: "json_schema", schema: other as JsonSchema } } as const;
    expect(() => query({ prompt: "x", options })).toThrow(message);
  });

  it("is refused together with disallowedTools that take its tool away", () => {
    const options = { outputFormat, disallowedTools: ["Bash", "StructuredOutput"] };
    expect(() => query({ prompt: "x", options })).toThrow(
      /disallowedTools names StructuredOutput.*Leave one/s,
    );
  });

  it("is refused, and no model asked, where another rule denies its tool", async () => {
    const model = scriptedModel([give(bern)]);
    const settings = { permissions: { deny: ["StructuredOutput"] } };
    const { result } = await ask([], { model, settings });
    expect(result).toMatchObject({
      terminal_reason: "invalid_option",
      errors: [expect.stringMatching(/outputFormat.*StructuredOutput, which a rule denies/)],
    });
    expect(model.requests).toEqual([]);
  });
});
