import type { FormatBook } from "../script.ts";
import { chatAnswer, data } from "./answer.ts";
import { validateChat } from "./validate.ts";

export const OPENAI_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  429: "requests",
};

/** The error of both formats of OpenAI. */
export function openaiError(status: number, message: string): object {
  const code = status === 429 ? "rate_limit_exceeded" : status === 401 ? "invalid_api_key" : null;
  return { error: { message, type: OPENAI_TYPES[status] ?? "server_error", param: null, code } };
}

export const chatBook: FormatBook = {
  validate: validateChat,
  answer: chatAnswer,
  errorBody: (status, message) => JSON.stringify(openaiError(status, message)),
  errorEvent: (type = "server_error", message) => data({ error: { message, type, param: null, code: null } }),
  unknownEvent: `event: mood\n${data({ id: "x", object: "chat.completion.mood", mood: "calm" })}`,
};
