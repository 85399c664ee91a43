/** What the loopback server answers: the same kind of turns as a scripted model, with faults. */

export interface LoopbackCall {
  readonly name: string;
  /** Default: `{}`. */
  readonly input?: unknown;
  /** The input as the model's own text, for what is not JSON. */
  readonly inputText?: string;
  /** Default: one of the provider's form that no other call has. */
  readonly id?: string;
}

export interface LoopbackTurn {
  readonly thinking?: string;
  /** Thoughts that only the provider can read, behind `thinking`. */
  readonly hidden?: string;
  /** A text, or the deltas that it comes in. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly LoopbackCall[];
  /** The provider's own word, for those that nobody knows. */
  readonly stopReason?: string;
  readonly usage?: {
    readonly input?: number;
    readonly output?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  readonly fault?: Fault;
}

/** What goes wrong with one answer. `afterEvents`: how many events are sent whole before it. */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Default: an error of the provider's form. */
      readonly body?: string;
    }
  /** The connection is torn down: before the headers (0), or in the middle of the next event. */
  | { readonly kind: "reset"; readonly afterEvents: number }
  /** The body ends as if it were whole. */
  | { readonly kind: "end"; readonly afterEvents: number }
  /** Nothing more comes, and the connection stays. */
  | { readonly kind: "stall"; readonly afterEvents: number }
  /** Nothing comes, not even the headers. */
  | { readonly kind: "slowHeaders" }
  | {
      readonly kind: "errorEvent";
      readonly afterEvents: number;
      readonly type?: string;
      readonly message?: string;
    }
  /** An event of a kind that is not in the books; the answer goes on behind it. */
  | { readonly kind: "unknownEvent"; readonly afterEvents: number }
  | { readonly kind: "badEvent"; readonly afterEvents: number }
  | { readonly kind: "emptyBody" }
  | { readonly kind: "htmlBody" }
  /** The rest is kept back until the promise resolves. */
  | { readonly kind: "holdBack"; readonly afterEvents: number; readonly until: Promise<unknown> };

export type LoopbackStep = LoopbackTurn | string | ((request: RecordedRequest) => LoopbackTurn | string);

export type Format = "anthropic" | "chat" | "responses";

export interface RecordedRequest {
  /** From 0, in order of arrival. */
  readonly index: number;
  readonly format: Format;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies of three formats.
  readonly body: any;
  /** Why a provider would refuse it; the server answered 400 then. */
  readonly refused?: string;
}

/** What the three formats differ in. */
export interface FormatBook {
  /** Undefined: a provider would take the request. */
  validate(request: Pick<RecordedRequest, "body" | "headers">): string | undefined;
  /** The events as they go over the wire, each with its blank line. */
  answer(turn: LoopbackTurn, request: RecordedRequest): readonly string[];
  errorBody(status: number, message: string): string;
  errorEvent(type: string | undefined, message: string): string;
  readonly unknownEvent: string;
}

export function textDeltas(text: LoopbackTurn["text"]): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? (text.match(/\s*\S+\s?|\s+/g) ?? []) : text;
}

export function slices(text: string, size = 24): string[] {
  const cut: string[] = [];
  for (let at = 0; at < text.length; at += size) cut.push(text.slice(at, at + size));
  return cut;
}

export function inputText(call: LoopbackCall): string {
  return call.inputText ?? JSON.stringify(call.input ?? {});
}

/** Counts of tokens; those of the caches are not in `input`. */
export interface LoopbackUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export function usageOf(turn: LoopbackTurn, request: RecordedRequest): LoopbackUsage {
  const { input, output, cacheRead = 0, cacheWrite = 0 } = turn.usage ?? {};
  return {
    input: input ?? Math.ceil(request.raw.byteLength / 4),
    output: output ?? 1 + textDeltas(turn.text).length,
    cacheRead,
    cacheWrite,
  };
}
