export type { OpenParts, OpenServer } from "./open-server.ts";
export { openServer } from "./open-server.ts";
export { serveInstance } from "./serve-instance.ts";
