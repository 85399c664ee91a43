import type { Shared } from "../shared.ts";

/** The parts of a host that session functions need. */
export type SessionsHost = Pick<Shared, "store" | "artifacts" | "isPair" | "ports" | "platform" | "redact">;
