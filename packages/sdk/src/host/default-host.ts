import { createHost, type Host } from "./host.ts";

let shared: Host | undefined;

/** The host of the top-level functions, made on first use. */
export function defaultHost(): Host {
  shared ??= createHost();
  return shared;
}
