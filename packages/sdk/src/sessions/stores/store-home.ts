import { join, resolve } from "node:path";
import type { Platform } from "../../platform/index.ts";

/**
 * The folder below which everything durable lies, absolute: `given`, else `CASTELLAN_HOME`, else `~/.castellan`.
 * A relative one starts at the working directory of the process.
 */
export function storeHome(platform: Pick<Platform, "env" | "homedir" | "cwd">, given?: string): string {
  const home = given ?? (platform.env.CASTELLAN_HOME || join(platform.homedir(), ".castellan"));
  return resolve(platform.cwd(), home);
}
