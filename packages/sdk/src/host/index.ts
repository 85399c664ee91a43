export type {
  AiSdkModel,
  Auth,
  Effort,
  LanguageModel,
  ModelAddress,
  ModelPart,
  ModelPrice,
  ModelRequest,
  ModelTool,
  PriceTable,
  StreamOptions,
  Thinking,
} from "../model/index.ts";
export { accessToken, accessTokenFromEnv, apiKey, apiKeyFromEnv } from "../model/index.ts";
export type { Platform } from "../platform/index.ts";
export type { Host, HostOptions, QueryParams } from "./host.ts";
export { createHost } from "./host.ts";
export type { HostModelOptions } from "./models.ts";
export type { Options, SettingsObject } from "./options/types.ts";
export { Query } from "./query.ts";
