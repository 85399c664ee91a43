import type { FormatBook } from "../script.ts";
import { event } from "../typed-event.ts";
import { anthropicAnswer } from "./answer.ts";
import { validateAnthropic } from "./validate.ts";

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

export const anthropicBook: FormatBook = {
  validate: validateAnthropic,
  answer: anthropicAnswer,
  errorBody: (status, message) =>
    JSON.stringify({
      type: "error",
      error: { type: TYPES[status] ?? "api_error", message },
      request_id: "req_1",
    }),
  errorEvent: (type = "overloaded_error", message) => event({ type: "error", error: { type, message } }),
  unknownEvent: event({ type: "message_mood", mood: { type: "calm", since: [1, null] } }),
};
