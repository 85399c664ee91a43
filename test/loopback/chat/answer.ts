import {
  inputText,
  type LoopbackTurn,
  type RecordedRequest,
  slices,
  textDeltas,
  usageOf,
} from "../script.ts";

export function data(value: unknown): string {
  return `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
}

/** The chunks of one chat completion. Thoughts come as `reasoning_content`, as local servers and gateways give them. */
export function chatAnswer(turn: LoopbackTurn, request: RecordedRequest): readonly string[] {
  const usage = usageOf(turn, request);
  const base = {
    id: `chatcmpl-${request.index}`,
    object: "chat.completion.chunk",
    created: 1_764_000_000,
    model: request.body.model,
    service_tier: "default",
    system_fingerprint: "fp_loopback",
  };
  const counts = request.body.stream_options?.include_usage === true;
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    data({
      ...base,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(counts ? { usage: null } : {}),
    });

  const events = [chunk({ role: "assistant", content: "", refusal: null })];
  for (const reasoning_content of textDeltas(turn.thinking)) events.push(chunk({ reasoning_content }));
  if (turn.hidden !== undefined) {
    const detail = { type: "reasoning.encrypted", data: turn.hidden, format: "loopback-v1", index: 0 };
    events.push(chunk({ reasoning: "", reasoning_details: [detail] }));
  }
  for (const content of textDeltas(turn.text)) events.push(chunk({ content }));
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    const id = call.id ?? `call_${request.index}_${index}`;
    const start = { index, id, type: "function", function: { name: call.name, arguments: "" } };
    events.push(chunk({ tool_calls: [start] }));
    for (const piece of slices(inputText(call))) {
      events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  const asked = (turn.toolCalls?.length ?? 0) > 0;
  events.push(chunk({}, turn.stopReason ?? (asked ? "tool_calls" : "stop")));
  if (counts) {
    const prompt_tokens = usage.input + usage.cacheRead + usage.cacheWrite;
    events.push(
      data({
        ...base,
        choices: [],
        usage: {
          prompt_tokens,
          completion_tokens: usage.output,
          total_tokens: prompt_tokens + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
          completion_tokens_details: {
            reasoning_tokens: 0,
            audio_tokens: 0,
            accepted_prediction_tokens: 0,
            rejected_prediction_tokens: 0,
          },
        },
      }),
    );
  }
  events.push(data("[DONE]"));
  return events;
}
