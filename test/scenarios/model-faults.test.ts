import { createHost, type Options, type SDKMessage, type SDKResultMessage, tool } from "@castellan/sdk";
import { assertComplete } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { finishedTexts, screenOf } from "../kit/consumer.ts";
import { hurriedClock } from "../kit/hurried-clock.ts";
import { scratch } from "../kit/session.ts";
import { type Fault, type LoopbackStep, type RecordedRequest, startLoopback } from "../loopback/index.ts";

const FORMATS = {
  anthropic: "anthropic/claude-sonnet-5-5",
  chat: "openai-chat/gpt-4.1",
  responses: "openai-responses/gpt-5.5",
} as const;

const SAID = "All is well, as far as anybody here can tell.";
const good = { text: SAID };
const faulty = (fault: Fault): LoopbackStep => ({ text: "All is lost, and nobody can tell why.", fault });
const status = (code: number, headers: Record<string, string> = {}, body?: string): LoopbackStep =>
  faulty({ kind: "status", status: code, headers, ...(body === undefined ? {} : { body }) });
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** Far enough into the answer of each format that text has been shown. */
const IN_THE_MIDDLE = 7;

interface Row {
  readonly steps: readonly LoopbackStep[];
  /** What the server sees, and how often the consumer is told of a retry. */
  readonly requests: number;
  readonly retries: number;
  /** Tries that had shown something. Default 0. */
  readonly withdrawn?: number;
  /** Default: success with the good text. */
  readonly result?: object;
  /** Default: the good text. */
  readonly texts?: readonly string[];
  /** Milliseconds of silence that the test lets pass once the first request has got as far as it gets. */
  readonly silence?: number;
  readonly delays?: readonly number[];
  readonly options?: Options;
  readonly also?: (requests: readonly RecordedRequest[]) => void;
}

const failed = (terminal_reason: string, error: RegExp): Partial<Row> => ({
  result: { subtype: "error_during_execution", terminal_reason, errors: [expect.stringMatching(error)] },
  texts: [],
});
const overloaded = { kind: "errorEvent", type: "overloaded_error", message: "Overloaded" } as const;

const picture = tool("picture", "Shows a picture.", {}, () => ({
  content: [{ type: "image", data: PNG, mimeType: "image/png" }],
}));
const withPicture: Options = { tools: [picture], allowedTools: ["picture"] };
const callsPicture: LoopbackStep = { toolCalls: [{ name: "picture" }] };
const callsLs = { toolCalls: [{ name: "LS", inputText: '{"path": "unfinished' }] };

const ROWS: Readonly<Record<string, Row>> = {
  "no fault": { steps: [good], requests: 1, retries: 0 },
  "429 with retry-after": {
    ...{ steps: [status(429, { "retry-after": "7" }), good], requests: 2, retries: 1, delays: [7_000] },
  },
  "429 with retry-after-ms": {
    ...{ steps: [status(429, { "retry-after-ms": "1234" }), good], requests: 2, retries: 1, delays: [1_234] },
  },
  "429 for want of money": {
    ...{ steps: [status(429, {}, '{"error":{"type":"insufficient_quota","message":"Pay first"}}')] },
    ...{ requests: 1, retries: 0, ...failed("model_error", /429.*Pay first/) },
  },
  "500": { steps: [status(500), good], requests: 2, retries: 1, delays: [250] },
  "503, three times": {
    ...{
      steps: [status(503), status(503), status(503), good],
      requests: 4,
      retries: 3,
      delays: [250, 500, 1000],
    },
  },
  "529": { steps: [status(529), good], requests: 2, retries: 1 },
  "500 for ever": {
    ...{ steps: Array.from({ length: 20 }, () => status(500)), requests: 11, retries: 10 },
    ...failed("model_error", /answered 500.*tried 11 times/),
  },
  "401": {
    steps: [status(401)],
    requests: 1,
    retries: 0,
    ...failed("model_error", /refused the key \(401\).*_KEY/),
  },
  "400": { steps: [status(400)], requests: 1, retries: 0, ...failed("model_error", /answered 400/) },
  "a context that overflows": {
    ...{
      steps: [status(400, {}, '{"error":{"message":"prompt is too long: 300000 tokens > 200000 maximum"}}')],
    },
    ...{
      requests: 1,
      retries: 0,
      ...failed("context_overflow", /no longer fits the context window.*300000/),
    },
  },
  "a reset before the answer": {
    steps: [faulty({ kind: "reset", afterEvents: 0 }), good],
    requests: 2,
    retries: 1,
  },
  "a reset in the middle": {
    ...{
      steps: [faulty({ kind: "reset", afterEvents: IN_THE_MIDDLE }), good],
      requests: 2,
      retries: 1,
      withdrawn: 1,
    },
  },
  "an end without an end mark": {
    ...{
      steps: [faulty({ kind: "end", afterEvents: IN_THE_MIDDLE }), good],
      requests: 2,
      retries: 1,
      withdrawn: 1,
    },
  },
  "60 s of silence in the middle": {
    ...{
      steps: [faulty({ kind: "stall", afterEvents: IN_THE_MIDDLE }), good],
      requests: 2,
      retries: 1,
      withdrawn: 1,
    },
    silence: 60_000,
  },
  "60 s without headers": {
    ...{ steps: [faulty({ kind: "slowHeaders" }), good], requests: 2, retries: 1, silence: 60_000 },
  },
  "an error event at first": {
    steps: [faulty({ ...overloaded, afterEvents: 0 }), good],
    requests: 2,
    retries: 1,
  },
  "an error event in the middle": {
    ...{
      steps: [faulty({ ...overloaded, afterEvents: IN_THE_MIDDLE }), good],
      requests: 2,
      retries: 1,
      withdrawn: 1,
    },
  },
  "an event that nobody knows": {
    ...{
      steps: [{ ...good, fault: { kind: "unknownEvent", afterEvents: IN_THE_MIDDLE } }],
      requests: 1,
      retries: 0,
    },
  },
  "an event that is no JSON": {
    ...{
      steps: [faulty({ kind: "badEvent", afterEvents: IN_THE_MIDDLE }), good],
      requests: 2,
      retries: 1,
      withdrawn: 1,
    },
  },
  "an empty body": { steps: [faulty({ kind: "emptyBody" }), good], requests: 2, retries: 1 },
  "an HTML page": {
    ...{
      steps: [faulty({ kind: "htmlBody" })],
      requests: 1,
      retries: 0,
      ...failed("model_error", /HTML page.*base URL/),
    },
  },
  "tool input that is no JSON": {
    ...{ steps: [callsLs, good], requests: 2, retries: 0, texts: ["", SAID] },
    also: ([, second]) => expect(JSON.stringify(second?.body)).toContain("unfinished"),
  },
  "a stop reason that nobody knows": {
    ...{ steps: [{ ...good, stopReason: "galactic_alignment" }], requests: 1, retries: 0 },
    result: { subtype: "success", result: SAID, stop_reason: null },
  },
  "a result that is a picture": {
    ...{ steps: [callsPicture, good], requests: 2, retries: 0, texts: ["", SAID], options: withPicture },
    also: ([, second]) => expect(JSON.stringify(second?.body)).toContain(PNG),
  },
  "a fault behind a tool round": {
    ...{
      steps: [callsPicture, faulty({ kind: "end", afterEvents: IN_THE_MIDDLE }), good],
      options: withPicture,
    },
    ...{ requests: 3, retries: 1, withdrawn: 1, texts: ["", SAID] },
    also: ([, second, third]) => expect(third?.raw.equals(second?.raw ?? Buffer.alloc(0))).toBe(true),
  },
};

async function play(model: string, row: Row) {
  const server = await startLoopback({ turns: row.steps });
  const { clock, pass } = hurriedClock(20_000);
  const host = createHost({ platform: { clock, random: () => 0, env: server.env } });
  const messages: SDKMessage[] = [];
  let arrived = 0;
  const options: Options = {
    ...{ model, cwd: scratch(), persistSession: false, includePartialMessages: true, tools: ["LS"] },
    ...row.options,
  };
  const reading = (async () => {
    for await (const message of host.query({ prompt: "go", options })) {
      messages.push(message);
      if (message.type === "stream_event") arrived += 1;
    }
  })();
  if (row.silence !== undefined) {
    // As far as it gets: the request is there, and what comes of the answer has come.
    for (
      let still = 0, before = -1;
      still < 50;
      still = server.requests.length > 0 && before === arrived ? still + 1 : 0
    ) {
      before = arrived;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    pass(row.silence);
  }
  await reading;
  await host.close();
  await server.close();
  return { messages, requests: server.requests };
}

describe.each(Object.entries(FORMATS))("%s", (_format, model) => {
  it.each(Object.entries(ROWS))("%s", async (_name, row) => {
    const { messages, requests } = await play(model, row);
    assertComplete(messages);
    const results = messages.filter((message): message is SDKResultMessage => message.type === "result");
    expect(results).toEqual([expect.objectContaining(row.result ?? { subtype: "success", result: SAID })]);
    const retries = messages.flatMap((each) =>
      each.type === "system" && each.subtype === "api_retry" ? [each] : [],
    );
    expect({
      requests: requests.length,
      refused: requests.flatMap(({ refused }) => refused ?? []),
      retries: retries.length,
      ...screenOf(messages),
      finished: finishedTexts(messages),
    }).toEqual({
      requests: row.requests,
      refused: [],
      retries: row.retries,
      withdrawn: row.withdrawn ?? 0,
      texts: row.texts ?? [SAID],
      finished: row.texts ?? [SAID],
    });
    if (row.delays !== undefined) expect(retries.map((retry) => retry.retry_delay_ms)).toEqual(row.delays);
    row.also?.(requests);
  });
});
