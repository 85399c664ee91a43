import type { JsonObject } from "../protocol/index.ts";
import { isJsonObject } from "../schema/index.ts";

/** The revision of the protocol that is asked for, and offered to who asks for one that is not spoken. */
export const NEWEST_VERSION = "2025-11-25";

/** Revisions of the protocol that both sides here speak, the newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = [
  NEWEST_VERSION,
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
];

/** Whether the other side named a revision that is spoken here. */
export function isSpoken(version: unknown): version is string {
  return typeof version === "string" && PROTOCOL_VERSIONS.includes(version);
}

/** Codes of JSON-RPC errors. */
export const RPC_ERRORS = {
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const;

export type RequestId = string | number;

/** A message of the other side, by what it is. */
export type Incoming =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "result"; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: "error"; readonly id: RequestId; readonly code: number; readonly message: string }
  /** `id` where an answer can still be given. */
  | { readonly kind: "malformed"; readonly id?: RequestId };

/** Reads whatever came. Never throws for plain data. */
export function readMessage(value: unknown): Incoming {
  if (!isJsonObject(value)) return { kind: "malformed" };
  const { id, method, params = {}, result, error } = value;
  const hasId = isId(id);
  if (method !== undefined) {
    const isGood = typeof method === "string" && isJsonObject(params);
    if (!isGood) return hasId ? { kind: "malformed", id } : { kind: "malformed" };
    if (hasId) return { kind: "request", id, method, params: params as JsonObject };
    return id === undefined
      ? { kind: "notification", method, params: params as JsonObject }
      : { kind: "malformed" };
  }
  if (!hasId) return { kind: "malformed" };
  if (isJsonObject(error)) {
    const { code, message } = error;
    return {
      kind: "error",
      id,
      code: typeof code === "number" ? code : RPC_ERRORS.internal,
      message: typeof message === "string" && message !== "" ? message : "no reason given",
    };
  }
  return result === undefined ? { kind: "malformed" } : { kind: "result", id, result };
}

/** Whether a value can be the id of a request. */
function isId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}
