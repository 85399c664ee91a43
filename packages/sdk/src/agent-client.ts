import { Client, defaultHost, type Options } from "./host/index.ts";

/**
 * One session over many turns: ask with `query()`, read with `receiveResponse()`, as often as you like.
 *
 * The session begins with the first use and ends with `close()`; `await using` closes it at the end of the block.
 * `createHost().client(options)` gives the same over a host of your own.
 *
 * @example
 * ```ts
 * import { AgentClient } from "@castellan/sdk";
 *
 * await using client = new AgentClient({ tools: ["Read", "Grep", "Glob"] });
 * for (const prompt of ["Which files have TODO comments?", "Which of them is the oldest?"]) {
 *   await client.query(prompt);
 *   for await (const message of client.receiveResponse()) {
 *     if (message.type === "result") console.log(message.result ?? message.errors);
 *   }
 * }
 * ```
 */
export class AgentClient extends Client {
  /** @throws CastellanError `invalid_option` at once, for everything that needs no disk and no network. */
  constructor(options: Options = {}) {
    super((params) => defaultHost().query(params), options);
  }
}
