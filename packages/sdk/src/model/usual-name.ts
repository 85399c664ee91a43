/** The name that its provider gives a model, in whichever format it is spoken to, and through the AI SDK too. */
export function usualName(model: string): string {
  return model.replace(OTHER_WAYS, "$1$2/");
}

/** The name without the date of a release: that is like the model itself. */
export function undated(model: string): string {
  return model.replace(DATE, "");
}

const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;
const OTHER_WAYS = /^(?:ai-sdk:(anthropic|openai)\.[a-z]+|(openai)-(?:chat|responses))\//;
