import { defaultHost, type Query, type QueryParams } from "./host/index.ts";

/**
 * Starts an agent session and gives its messages.
 *
 * @throws CastellanError `invalid_option` at once, for everything that needs no disk and no network.
 * Later failures are a result message.
 *
 * @example
 * ```ts
 * import { query } from "@castellan/sdk";
 *
 * for await (const message of query({
 *   prompt: "Which files have TODO comments?",
 *   options: { tools: ["Read", "Grep", "Glob"], allowedTools: ["Read", "Grep", "Glob"] },
 * })) {
 *   if (message.type === "result") console.log(message.result ?? message.errors);
 * }
 * ```
 */
export function query(params: QueryParams): Query {
  return defaultHost().query(params);
}
