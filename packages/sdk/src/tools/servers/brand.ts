import type { SdkMcpServerInstance } from "./types.ts";

const SERVER: unique symbol = Symbol.for("castellan.server") as never;

/** Marks an instance as ours. Other copies of this package see it too. */
export function markServer(instance: object): void {
  Object.defineProperty(instance, SERVER, { value: true });
}

/** Whether a value is the instance of a server that `createSdkMcpServer` made, of this copy of the package or another. */
export function isServerInstance(value: unknown): value is SdkMcpServerInstance {
  return typeof value === "object" && value !== null && Object.hasOwn(value, SERVER);
}
