/** Where one model is reached, and how. */
export interface Endpoint {
  /** `id` of the model object: its name as an option could give it again. */
  readonly id: string;
  /** Its name on the wire. */
  readonly model: string;
  /** Key of `meta`. */
  readonly provider: string;
  /** The address that requests are posted to. */
  readonly url: string;
  /** The headers that carry the key; empty where none is needed. */
  readonly auth: Readonly<Record<string, string>>;
  /** What a person checks when the key is refused: a variable's name, or the option. */
  readonly keyName: string;
  readonly limitKey: string;
  /** Milliseconds of silence before the first byte of the answer, and between two. */
  readonly firstByteMs: number;
  readonly stallMs: number;
  /** What this server is known to understand. */
  readonly dialect: Dialect;
}

/** Differences between servers of one format. */
export interface Dialect {
  /** OpenAI itself: `max_completion_tokens`, strict tools, files. Others get what the old servers know. */
  readonly openai: boolean;
  /** Reads `file` parts with PDF data. */
  readonly pdf: boolean;
  /** Knows `strict` of a tool. */
  readonly strictTools: boolean;
}
