import { onTestFinished } from "vitest";
import { type Loopback, type LoopbackOptions, startLoopback } from "../loopback/index.ts";

/** A server that the command line finds by its variables, until the test ends. */
export async function loopback(turns: LoopbackOptions["turns"]): Promise<Loopback> {
  const server = await startLoopback({ turns });
  onTestFinished(() => server.close());
  return server;
}

/** A model for each format, and how many events of an answer there are up to its first piece of text. */
export const FORMATS = [
  { model: "anthropic/claude-sonnet-5-5", format: "anthropic", first: 4 },
  { model: "openai/gpt-5.5", format: "chat", first: 2 },
  { model: "openai-responses/gpt-5.5", format: "responses", first: 5 },
] as const;

/** A promise, and what resolves it. */
export function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}
