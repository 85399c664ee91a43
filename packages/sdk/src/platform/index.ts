export { absolutePath } from "./absolute-path.ts";
export type { Http, HttpBody, HttpFaultCode, HttpRequest, HttpResponse } from "./http-port.ts";
export { lazySignal } from "./lazy-signal.ts";
export { memoryFiles } from "./memory-files.ts";
export { nodePlatform } from "./node-platform.ts";
export { OPEN_FLAGS } from "./open-flags.ts";
export type { Clock, FileSystem, Ids, Platform, Spawn, Timer } from "./port.ts";
export { isThenable, type WaitEnd, waitFor } from "./wait-for.ts";
