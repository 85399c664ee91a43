import type { SDKUserMessage } from "../protocol/index.ts";
import type { Options } from "./options/types.ts";

/** What `query()` takes. */
export interface QueryParams {
  /**
   * A string gives one result. A stream gives one result for each message, until it ends.
   * With `resume`, an empty string goes on where the session stopped.
   */
  readonly prompt: string | AsyncIterable<SDKUserMessage>;
  readonly options?: Options;
}
