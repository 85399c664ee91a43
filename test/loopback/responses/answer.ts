import { hide } from "../anthropic/seal.ts";
import {
  inputText,
  type LoopbackTurn,
  type RecordedRequest,
  slices,
  textDeltas,
  usageOf,
} from "../script.ts";
import { event } from "../typed-event.ts";

type Item = Readonly<Record<string, unknown>>;

/** The events of one response, numbered. */
export function responsesAnswer(turn: LoopbackTurn, request: RecordedRequest): readonly string[] {
  const { body } = request;
  const model = String(body.model);
  const events: string[] = [];
  const output: Item[] = [];
  let sequence_number = 0;
  const send = (type: string, fields: object): void => {
    events.push(event({ type, sequence_number, ...fields }));
    sequence_number += 1;
  };
  const response = (status: string, more: object = {}): object => ({
    response: {
      id: `resp_${request.index}`,
      object: "response",
      created_at: 1_764_000_000,
      status,
      error: null,
      incomplete_details: null,
      instructions: body.instructions ?? null,
      max_output_tokens: body.max_output_tokens ?? null,
      model,
      output: status === "in_progress" ? [] : output,
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
      store: body.store ?? true,
      temperature: 1,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: body.tools ?? [],
      top_p: 1,
      truncation: "disabled",
      usage: null,
      metadata: {},
      ...more,
    },
  });
  const item = (start: Item, done: Item, deltas: (place: object) => void): void => {
    const output_index = output.length;
    send("response.output_item.added", { output_index, item: start });
    deltas({ item_id: start.id, output_index });
    send("response.output_item.done", { output_index, item: done });
    output.push(done);
  };

  send("response.created", response("in_progress"));
  send("response.in_progress", response("in_progress"));
  if (turn.thinking !== undefined || turn.hidden !== undefined) reasoning();
  if (turn.text !== undefined) message();
  for (const [at, call] of (turn.toolCalls ?? []).entries()) {
    const id = `fc_${request.index}_${at}`;
    const base = {
      type: "function_call",
      id,
      call_id: call.id ?? `call_${request.index}_${at}`,
      name: call.name,
    };
    const whole = inputText(call);
    item(
      { ...base, status: "in_progress", arguments: "" },
      { ...base, status: "completed", arguments: whole },
      (place) => {
        for (const delta of slices(whole))
          send("response.function_call_arguments.delta", { ...place, delta });
        send("response.function_call_arguments.done", { ...place, arguments: whole });
      },
    );
  }
  const used = usageOf(turn, request);
  const input_tokens = used.input + used.cacheRead;
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: used.cacheRead },
    output_tokens: used.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + used.output,
  };
  const { stopReason } = turn;
  if (stopReason === undefined) send("response.completed", response("completed", { usage }));
  else
    send(
      "response.incomplete",
      response("incomplete", { usage, incomplete_details: { reason: stopReason } }),
    );
  return events;

  function reasoning(): void {
    const text = turn.thinking;
    const base = { type: "reasoning", id: `rs_${request.index}` };
    const asked = Array.isArray(body.include) && body.include.includes("reasoning.encrypted_content");
    const sealed = asked ? { encrypted_content: hide(model, turn.hidden ?? text ?? "") } : {};
    const summary = text === undefined ? [] : [{ type: "summary_text", text }];
    item({ ...base, summary: [] }, { ...base, summary, ...sealed }, (place) => {
      if (text === undefined) return;
      const part = { ...place, summary_index: 0 };
      send("response.reasoning_summary_part.added", { ...part, part: { type: "summary_text", text: "" } });
      for (const delta of textDeltas(text)) send("response.reasoning_summary_text.delta", { ...part, delta });
      send("response.reasoning_summary_text.done", { ...part, text });
      send("response.reasoning_summary_part.done", { ...part, part: { type: "summary_text", text } });
    });
  }

  function message(): void {
    const base = { type: "message", id: `msg_${request.index}`, role: "assistant" };
    const text = textDeltas(turn.text).join("");
    const part = { type: "output_text", text, annotations: [] };
    item(
      { ...base, status: "in_progress", content: [] },
      { ...base, status: "completed", content: [part] },
      (place) => {
        const at = { ...place, content_index: 0 };
        send("response.content_part.added", { ...at, part: { ...part, text: "" } });
        for (const delta of textDeltas(turn.text))
          send("response.output_text.delta", { ...at, delta, logprobs: [] });
        send("response.output_text.done", { ...at, text, logprobs: [] });
        send("response.content_part.done", { ...at, part });
      },
    );
  }
}
