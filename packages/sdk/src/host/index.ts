export type { Host, HostOptions, QueryParams } from "./host.ts";
export { createHost } from "./host.ts";
export type { Options, SettingsObject } from "./options/types.ts";
export { Query } from "./query.ts";
