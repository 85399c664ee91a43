// What summing up a history needs. It is loaded when a history is summed up: most sessions never do.
export { planCut } from "./plan.ts";
export { summaryMessage } from "./summary-message.ts";
export { summaryRequest } from "./summary-request.ts";
export { summaryWithoutModel } from "./without-model.ts";
export { keptWords } from "./words.ts";
