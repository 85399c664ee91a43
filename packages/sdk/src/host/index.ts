export type {
  LanguageModel,
  ModelPart,
  ModelRequest,
  ModelTool,
  StreamOptions,
} from "../model/index.ts";
export type { Platform } from "../platform/index.ts";
export type { Host, HostOptions, QueryParams } from "./host.ts";
export { createHost } from "./host.ts";
export type { Options, SettingsObject } from "./options/types.ts";
export { Query } from "./query.ts";
