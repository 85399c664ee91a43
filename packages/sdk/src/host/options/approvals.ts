import { isJsonObject } from "../../schema/index.ts";
import { flag, oneOf, shape, wholeNumber } from "./checks.ts";
import { type Check, fault } from "./fault.ts";

/** Who answers a call that rules, mode and hooks leave open. */
export interface ApprovalsOption {
  /** `callback` (default): `canUseTool`, in this process. `durable`: whoever decides in the inbox, in any process. */
  readonly mode: "callback" | "durable";
  /**
   * What a turn does when all that is left of it waits in the inbox. `wait` (default): it waits. `pause`: it ends with a
   * result `paused`, and `query({prompt: "", options: {resume}})` goes on with it.
   */
  readonly onPending?: "wait" | "pause";
  /** Milliseconds that somebody has to decide, from the question on; then the call is denied. Default: no end. */
  readonly expiresInMs?: number;
  /** A new message of the user rejects what is pending. Default: the message waits behind it. */
  readonly rejectPending?: boolean;
  /**
   * An address that gets each new approval as a POST: `{type: "approval_requested", approval, signature}`. https, or this
   * machine; 10 s, no redirects.
   */
  readonly webhook?: string;
}

/** The option as a session uses it. */
export interface ApprovalsSetting {
  readonly mode: "callback" | "durable";
  readonly onPending: "wait" | "pause";
  readonly expiresInMs: number | undefined;
  readonly rejectPending: boolean;
  readonly webhook: string | undefined;
}

const MODES = oneOf(["callback", "durable"]);
/** A hundred years. */
const LONGEST_MS = 3_155_760_000_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const webhook: Check = (value) => {
  const why = typeof value === "string" ? urlFault(value) : "no text";
  return why === undefined
    ? undefined
    : fault(`an https address, or an http one of this machine (${why})`, value);
};

function urlFault(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "it is no address";
  }
  if (url.username !== "" || url.password !== "") return "a password stands in it";
  if (url.protocol === "https:") return undefined;
  return url.protocol === "http:" && LOOPBACK.test(url.hostname)
    ? undefined
    : "it leaves this machine in the open";
}

const object = shape(
  {
    mode: MODES,
    onPending: oneOf(["wait", "pause"]),
    expiresInMs: wholeNumber(1, LONGEST_MS),
    rejectPending: flag,
    webhook,
  },
  "an object { mode, onPending?, expiresInMs?, rejectPending?, webhook? }",
  ["mode"],
);

export const approvals: Check = (value) =>
  isJsonObject(value)
    ? object(value)
    : MODES(value) && fault('"callback", "durable", or an object with mode', value);

/** The option with its defaults. */
export function approvalsSetting(
  option: "callback" | "durable" | ApprovalsOption | undefined,
): ApprovalsSetting {
  const {
    mode,
    onPending = "wait",
    expiresInMs,
    rejectPending = false,
    webhook: url,
  } = typeof option === "object" ? option : { mode: option ?? "callback" };
  return { mode, onPending, expiresInMs, rejectPending, webhook: url };
}
