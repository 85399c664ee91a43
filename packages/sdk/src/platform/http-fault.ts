import type { HttpFaultCode } from "./http-port.ts";

/** An error with a code, like those that Node makes of a failed system call. */
export function httpFault(code: HttpFaultCode, message: string): Error & { readonly code: HttpFaultCode } {
  return Object.assign(new Error(message), { code });
}
