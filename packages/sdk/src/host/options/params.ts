import type { SDKUserMessage } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import { func, methods, oneOf, shape, text, wholeNumber } from "./checks.ts";
import { badOption, type Check, faultError, shown } from "./fault.ts";
import { managedSettings } from "./settings-checks.ts";
import { platformCheck, storeCheck } from "./table.ts";

/**
 * The prompt of `query()`'s one argument.
 *
 * @throws CastellanError `invalid_option`
 */
export function readPrompt(params: unknown): string | AsyncIterable<unknown> {
  if (!isJsonObject(params)) {
    const fix =
      typeof params === "string"
        ? `Write query({ prompt: ${shown(params)} }).`
        : "Give { prompt, options? }.";
    throw badOption("prompt", `query() takes one object, this is ${shown(params)}.`, fix);
  }
  for (const key of Object.keys(params)) {
    if (key === "prompt" || key === "options") continue;
    const fix = `Put it into options: query({ prompt, options: { ${key}: … } }).`;
    throw badOption(key, `query() has no parameter ${key}.`, fix);
  }
  const { prompt } = params;
  if (typeof prompt === "string" || isAsyncIterable(prompt)) return prompt;
  const isList = typeof prompt === "object" && prompt !== null && Symbol.iterator in prompt;
  const fix = isList
    ? "Wrap the list: (async function* () { yield* list; })()."
    : "Give text, or an async generator.";
  throw badOption(
    "prompt",
    `prompt is ${shown(prompt)}.`,
    `It must be a string or an async iterable. ${fix}`,
  );
}

/**
 * The messages of `streamInput()`.
 *
 * @throws CastellanError `invalid_option`
 */
export function readMessageStream(messages: unknown): AsyncIterable<SDKUserMessage> {
  if (isAsyncIterable(messages)) return messages as AsyncIterable<SDKUserMessage>;
  const fix = "It must be an async iterable of user messages, such as an async generator.";
  throw badOption("messages", `streamInput() was given ${shown(messages)}.`, fix);
}

/** Whether a program could `for await` it. Only its method is looked at. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== "object" || value === null) return false;
  return typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function";
}

const LIMITS: Readonly<Record<string, Check>> = {
  toolConcurrency: wholeNumber(1, 100),
  processes: wholeNumber(1),
  modelStreams: wholeNumber(1),
  logFiles: wholeNumber(1),
};

const HOST_CHECKS: ReadonlyMap<string, Check> = new Map([
  ["store", storeCheck],
  ["artifacts", methods(["put", "get", "delete", "list"], "an artifact store")],
  ["platform", platformCheck],
  // Looked at where prices and names are taken in, which names the model and the field.
  ["models", () => undefined],
  ["policy", managedSettings],
  ["redact", func],
  ["durability", oneOf(["process", "power"])],
  ["worker", shape({ name: text, leaseMs: wholeNumber(1_000) }, "an object with name", ["name"])],
  ["limits", shape(LIMITS, `an object with ${Object.keys(LIMITS).join(", ")}`)],
]);

/**
 * The options of `createHost()`.
 *
 * @throws CastellanError `invalid_option`
 */
export function checkHostOptions(given: unknown): void {
  if (!isJsonObject(given)) {
    throw badOption("createHost", `createHost() was given ${shown(given)}.`, "Give an object, or nothing.");
  }
  for (const [key, value] of Object.entries(given)) {
    const check = HOST_CHECKS.get(key);
    if (check === undefined) {
      const fix = `Known options: ${[...HOST_CHECKS.keys()].join(", ")}.`;
      throw badOption(key, `createHost() has no option ${key}.`, fix);
    }
    const found = value === undefined ? undefined : check(value);
    if (found !== undefined) throw faultError("createHost options", key, found);
  }
}
