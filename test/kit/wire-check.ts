import { createHash } from "node:crypto";
import type { ModelRequest } from "@castellan/sdk";
import { createEncoder as anthropic } from "../../packages/sdk/src/model/wire/anthropic/encode-request.ts";
import { createEncoder as chat } from "../../packages/sdk/src/model/wire/openai-chat/encode-request.ts";
import { createEncoder as responses } from "../../packages/sdk/src/model/wire/openai-responses/encode-request.ts";
import { validateAnthropic } from "../loopback/anthropic/validate.ts";
import { validateChat } from "../loopback/chat/validate.ts";
import { validateResponses } from "../loopback/responses/validate.ts";

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** What the three providers would say of a request: their refusals, by format; empty where all would take it. */
export async function refusals(request: ModelRequest): Promise<string[]> {
  const openai = { provider: "openai", sha256 } as const;
  const claude = "claude-opus-4-5";
  const dialect = { openai: true, pdf: true, strictTools: true };
  const encoders = [
    [
      "anthropic",
      anthropic({ provider: "anthropic", model: claude, longest: 64, sha256 }),
      validateAnthropic,
    ],
    ["chat", chat("gpt-4.1", { ...openai, dialect, longest: 40 }), validateChat],
    ["responses", responses({ ...openai, model: "gpt-5.4", longest: 64 }), validateResponses],
  ] as const;
  const found: string[] = [];
  for (const [format, encode, validate] of encoders) {
    const { body, headers } = await encode(request, undefined);
    const sent = JSON.parse(Buffer.concat(body).toString()) as Record<string, unknown>;
    const complaint = validate({ body: sent, headers: { "anthropic-version": "2023-06-01", ...headers } });
    if (complaint !== undefined) found.push(`${format}: ${complaint}`);
  }
  return found;
}
