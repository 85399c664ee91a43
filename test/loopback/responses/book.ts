import { openaiError } from "../chat/book.ts";
import type { FormatBook } from "../script.ts";
import { event } from "../typed-event.ts";
import { responsesAnswer } from "./answer.ts";
import { validateResponses } from "./validate.ts";

export const responsesBook: FormatBook = {
  validate: validateResponses,
  answer: responsesAnswer,
  errorBody: (status, message) => JSON.stringify(openaiError(status, message)),
  errorEvent: (code = "server_error", message) =>
    event({ type: "error", sequence_number: 99, code, message, param: null }),
  unknownEvent: event({ type: "response.mood.changed", sequence_number: 98, mood: "calm" }),
};
