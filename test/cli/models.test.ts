import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMATS, loopback, signal } from "./loopback.ts";
import { runCli } from "./run-cli.ts";
import { scratch } from "./scratch.ts";
import { inTerminal } from "./terminal.ts";

const read = { name: "Read", input: { file_path: "a.txt" } };
const [ANTHROPIC] = FORMATS;

describe.each(FORMATS)("castellan run --model $model", ({ model, format, first }) => {
  it("calls a tool and tells what it read", async () => {
    const place = await scratch();
    await writeFile(join(place.work, "a.txt"), "hello from the file\n");
    const server = await loopback([{ text: "I look.", toolCalls: [read] }, "The file says hello."]);
    const end = await runCli(place, ["run", "Read a.txt", "--model", model], { env: server.env });
    expect(end).toMatchObject({ code: 0, stdout: "I look.\nThe file says hello.\n" });
    expect(end.stderr).toBe("● Read a.txt\n  └ 1 hello from the file\n");
    expect(server.requests.map((request) => request.format)).toEqual([format, format]);
    expect(server.requests[1]?.raw.toString()).toContain("hello from the file");
  });

  it("shows the first words in a terminal before the rest is sent", async () => {
    const shown = signal();
    const fault = { kind: "holdBack", afterEvents: first, until: shown.given } as const;
    const server = await loopback([{ text: ["First half,", " second half."], fault }]);
    const terminal = await inTerminal(await scratch(), ["run", "go", "--model", model], 80, server.env);
    await terminal.until("First half,");
    expect(terminal.text()).not.toContain("second");
    shown.give();
    await terminal.until(" second half.");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text().match(/First half/g)).toHaveLength(1);
  });

  it("streams deltas into a pipe where they are asked for", async () => {
    const shown = signal();
    const fault = { kind: "holdBack", afterEvents: first, until: shown.given } as const;
    const server = await loopback([{ text: ["First half,", " second half."], fault }]);
    const flags = ["--output-format", "stream-json", "--include-partial-messages"];
    const { code, stdout } = await runCli(await scratch(), ["run", "go", "--model", model, ...flags], {
      env: server.env,
      out: (text) => {
        if (!text.includes("First half,")) return;
        if (!text.includes("second")) shown.give();
      },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "").result).toBe("First half, second half.");
  });

  it("prints an answer that broke off and came again only once into a pipe", async () => {
    const fault = { kind: "reset", afterEvents: first } as const;
    const server = await loopback([{ text: ["All is", " well."], fault }, { text: ["All is", " well."] }]);
    const end = await runCli(await scratch(), ["run", "go", "--model", model], { env: server.env });
    expect(end).toMatchObject({ code: 0, stdout: "All is well.\n" });
    expect(end.stderr).toContain("(1 of 10).");
    expect(server.requests).toHaveLength(2);
  });

  it("marks in a terminal what does not count", async () => {
    const fault = { kind: "reset", afterEvents: first } as const;
    const server = await loopback([{ text: ["All is", " lost."], fault }, { text: ["All is", " well."] }]);
    const terminal = await inTerminal(await scratch(), ["run", "go", "--model", model], 80, server.env);
    expect(await terminal.ended).toBe(0);
    const [broken, again] = terminal.text().split("! The answer above broke off and does not count.\n");
    expect(broken).toBe("All is\n");
    expect(again?.split("\n").slice(-2)).toEqual(["All is well.", ""]);
  });

  it("waits as long as the provider asks, and says so", async () => {
    const refusal = { kind: "status", status: 429, headers: { "retry-after": "1" } } as const;
    const server = await loopback([{ fault: refusal }, "Here."]);
    const started = performance.now();
    const end = await runCli(await scratch(), ["run", "go", "--model", model], { env: server.env });
    expect(performance.now() - started).toBeGreaterThan(1_000);
    expect(end).toMatchObject({ code: 0, stdout: "Here.\n" });
    expect(end.stderr).toMatch(/^! .*429.* Again in \d s \(1 of 10\)\.\n$/);
  });

  it("names the variable of the key that is missing", async () => {
    const end = await runCli(await scratch(), ["run", "go", "--model", model]);
    const variable = format === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
    expect(end).toMatchObject({ code: 6, stdout: "", stderr: expect.stringContaining(`Set ${variable}`) });
    expect(end.stderr).not.toContain("option `auth`");
  });
});

describe("an address as the model", () => {
  it("is asked for that model, in chat completions, with no provider's key", async () => {
    const server = await loopback(["Hi."]);
    const { OPENAI_API_KEY = "", ANTHROPIC_API_KEY = "" } = server.env;
    const args = ["run", "go", "--model", `${server.baseURL}#qwen3:8b`];
    const end = await runCli(await scratch(), args, { env: { OPENAI_API_KEY, ANTHROPIC_API_KEY } });
    expect(end).toMatchObject({ code: 0, stdout: "Hi.\n" });
    expect(server.requests[0]).toMatchObject({ format: "chat", body: { model: "qwen3:8b" } });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("limits of what a run may use", () => {
  const dear = { toolCalls: [read], usage: { input: 900_000, output: 1_000 } };

  it.each([
    ["--max-budget-usd", "0.01", "error_max_budget_usd", "max_budget_usd"],
    ["--max-tokens-budget", "1000", "error_during_execution", "max_tokens_budget"],
  ])("%s stops before the next request", async (flag, value, subtype, terminal_reason) => {
    const server = await loopback([dear, "Too late."]);
    const args = ["run", "go", "--model", ANTHROPIC.model, flag, value, "--json"];
    const end = await runCli(await scratch(), args, { env: server.env });
    expect(end.code).toBe(4);
    expect(JSON.parse(end.stdout)).toMatchObject({ subtype, terminal_reason });
    expect(end.stderr).toContain("castellan: To go on: castellan run --resume ");
    expect(server.requests).toHaveLength(1);
  });

  it("cannot be in money where no price is known, and says what can be", async () => {
    const args = ["run", "go", "--model", "http://127.0.0.1:9/v1#mine", "--max-budget-usd", "1"];
    const end = await runCli(await scratch(), args);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain("--max-budget-usd needs the price of");
    expect(end.stderr).toContain("Use --max-tokens-budget instead.");
  });
});

describe("flags of the request", () => {
  it("carry effort and thinking to the provider", async () => {
    const server = await loopback(["a", "b", "c"]);
    const place = await scratch();
    const run = (...flags: string[]) =>
      runCli(place, ["run", "go", "--model", ANTHROPIC.model, ...flags], { env: server.env });
    await run("--effort", "high", "--thinking", "adaptive");
    await run("--thinking", "off");
    expect(server.requests.map(({ body }) => body.thinking?.type)).toEqual(["adaptive", "disabled"]);
    expect(server.requests[0]?.body.output_config?.effort).toBe("high");
  });

  it("--fallback-model takes over where the model asks for too long a wait", async () => {
    const refusal = { kind: "status", status: 429, headers: { "retry-after": "3600" } } as const;
    const server = await loopback(({ format }) =>
      format === "chat" ? "From the other." : { fault: refusal },
    );
    const args = ["run", "go", "--model", ANTHROPIC.model, "--fallback-model", "openai/gpt-5.5"];
    const end = await runCli(await scratch(), args, { env: server.env });
    expect(end).toMatchObject({ code: 0, stdout: "From the other.\n" });
    expect(end.stderr).toContain("Going on with openai/gpt-5.5.");
  });

  it.each([
    [["--thinking", "12"], "at least 1024"],
    [["--effort", "huge"], "Allowed choices are minimal, low"],
    [["--max-budget-usd", "0"], "a number above 0"],
    [["--max-tokens-budget", "1e3"], "whole number of at least 1"],
    [["--output-schema", "{"], "--output-schema is no JSON"],
    [["--output-schema", "gone.json"], "--output-schema gone.json cannot be read: there is no such file"],
    [["--output-schema", '{"type":"string"}'], "describes no object"],
  ])("%j is wrong usage", async (flags, says) => {
    const args = ["run", "go", "--model", "ollama/x", ...flags];
    const end = await runCli(await scratch(), args);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(says) });
  });
});

describe("--output-schema", () => {
  const schema = JSON.stringify({
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  });
  const answer = { text: "I know.", toolCalls: [{ name: "StructuredOutput", input: { city: "Bern" } }] };

  it("puts the data alone on standard output", async () => {
    const server = await loopback([answer]);
    const args = ["run", "Capital?", "--model", ANTHROPIC.model, "--output-schema", schema];
    const end = await runCli(await scratch(), args, { env: server.env });
    expect(end).toMatchObject({ code: 0, stdout: '{"city":"Bern"}\n' });
    expect(end.stderr).toContain("I know.\n");
  });

  it("is read from a file; --json has the data in structured_output", async () => {
    const place = await scratch();
    await writeFile(join(place.work, "city.json"), schema);
    const server = await loopback([answer]);
    const args = ["run", "Capital?", "--model", ANTHROPIC.model, "--output-schema", "city.json", "--json"];
    const end = await runCli(place, args, { env: server.env });
    expect(JSON.parse(end.stdout)).toMatchObject({ structured_output: { city: "Bern" } });
  });

  it("fails after three answers that do not fit", async () => {
    const server = await loopback(() => ({ toolCalls: [{ name: "StructuredOutput", input: { town: 1 } }] }));
    const args = ["run", "Capital?", "--model", ANTHROPIC.model, "--output-schema", schema];
    const end = await runCli(await scratch(), args, { env: server.env });
    expect(end).toMatchObject({ code: 1, stdout: "" });
    expect(server.requests).toHaveLength(3);
  });
});
