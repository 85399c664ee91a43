import type { LanguageModel, ModelPart, ModelRequest } from "../model/index.ts";
import { type ScriptStep, scriptedModel } from "../model/index.ts";
import { nodePlatform } from "../platform/index.ts";
import type { SDKMessageWithdrawn, SDKStreamEvent, SessionEvent, UserMessage } from "../protocol/index.ts";
import type { RoundOutcome } from "../scheduler/index.ts";
import { createSessionLog, memoryStore, type SessionLog } from "../sessions/index.ts";
import type { LoopDeps } from "./deps.ts";

/** A loop over a real log; rounds are answered by the test. */
export interface LoopKit {
  readonly deps: LoopDeps;
  readonly log: SessionLog;
  readonly events: SessionEvent[];
  readonly stream: SDKStreamEvent[];
  readonly withdrawn: SDKMessageWithdrawn[];
  readonly requests: ModelRequest[];
  hear(text: string): void;
  /** The last `result` event's data. */
  result(): Extract<SessionEvent, { type: "result" }>["data"];
}

export interface LoopKitOptions {
  readonly maxTurns?: number;
  readonly steer?: () => readonly UserMessage[];
  readonly left?: () => readonly UserMessage[];
  readonly giveBack?: (messages: readonly UserMessage[]) => void;
  readonly pressure?: () => Promise<void> | undefined;
  /** What a round comes to; every call of it succeeds. */
  readonly round?: (ids: readonly string[]) => RoundOutcome;
}

export const textMessage = (text: string): UserMessage => ({ role: "user", parts: [{ type: "text", text }] });

export function loopKit(model: LanguageModel | readonly ScriptStep[], options: LoopKitOptions = {}): LoopKit {
  const platform = nodePlatform();
  const events: SessionEvent[] = [];
  const stream: SDKStreamEvent[] = [];
  const withdrawn: SDKMessageWithdrawn[] = [];
  const requests: ModelRequest[] = [];
  const log = createSessionLog({
    ...{ platform, store: memoryStore(), sessionId: "s", project: "/w" },
    onEvent: (event) => void events.push(event),
  });
  log.record("session.started", { sessionId: "s", cwd: "/w", release: "0" });
  const chosen = "stream" in model ? model : scriptedModel(model);
  const deps: LoopDeps = {
    platform,
    log,
    scheduler: {
      async runRound(calls) {
        for (const { id, name } of calls) {
          const content = [{ type: "text", text: `of ${id}` }] as const;
          log.record("tool.finished", { callId: id, name, outcome: "finished", content, isError: false });
        }
        return options.round?.(calls.map((call) => call.id)) ?? {};
      },
    },
    model: () => chosen,
    request() {
      const request = { system: [], tools: [], builtinTools: 0, tail: [], messages: log.state.messages };
      requests.push({ ...request, messages: [...request.messages] });
      return request;
    },
    maxTurns: options.maxTurns,
    emit: (message) =>
      void (message.type === "stream_event" ? stream.push(message) : withdrawn.push(message)),
    pressure: options.pressure ?? (() => undefined),
    steering: {
      left: options.left ?? (() => []),
      steer: options.steer ?? (() => []),
      giveBack: options.giveBack ?? (() => {}),
    },
  };
  return {
    ...{ deps, log, events, stream, withdrawn, requests },
    hear: (text) => log.record("user.message", { message: textMessage(text) }),
    result() {
      const found = events.findLast((event) => event.type === "result");
      if (found?.type !== "result") throw new Error("No result was recorded.");
      return found.data;
    },
  };
}

/** A model that streams what the test says. */
export function modelOf(
  parts: (signal: AbortSignal) => AsyncIterable<ModelPart> | Iterable<ModelPart>,
): LanguageModel {
  return {
    id: "test",
    provider: "test",
    async *stream(_, { signal }) {
      yield* parts(signal);
    },
  };
}
