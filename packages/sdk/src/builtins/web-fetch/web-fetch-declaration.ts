import type { JsonObject, Target } from "../../protocol/index.ts";
import { type Declaration, inputOf, textOf } from "../declaration.ts";

/** WebFetch: reads one page. Its host is judged in every mode, plan included. */
export const WEB_FETCH: Declaration = {
  name: "WebFetch",
  source: "builtin",
  title: "Fetch a page",
  searchHint: "fetch web page url http read",
  description: "Reads a page of the web and answers a question about it.",
  inputSchema: inputOf(
    {
      url: {
        type: "string",
        maxLength: 8000,
        pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
        description: "The address, http or https.",
      },
      prompt: textOf("What to find in the page.", 20_000),
    },
    ["url", "prompt"],
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  validateInput: (input) =>
    fetchedUrl(input) === undefined
      ? { ok: false, message: `${JSON.stringify(input.url)} is no http or https address.` }
      : { ok: true },
  targets: (input) => [hostTarget(input)],
  allowedInPlan: true,
  summary: (input) => String(input.url),
};

/** The address that will be fetched. The tool must fetch this object, not read the text a second time. */
export function fetchedUrl({ url }: JsonObject): URL | undefined {
  try {
    const read = new URL(String(url));
    return (read.protocol === "http:" || read.protocol === "https:") && read.hostname !== ""
      ? read
      : undefined;
  } catch {
    return undefined;
  }
}

/** A host that cannot be read is unknown: rules on domains ask about it. */
function hostTarget(input: JsonObject): Target {
  const url = fetchedUrl(input);
  if (url === undefined) return { kind: "host" };
  const usual = url.protocol === "http:" ? 80 : 443;
  return { kind: "host", host: url.hostname, port: url.port === "" ? usual : Number(url.port) };
}
