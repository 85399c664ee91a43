import type { FileSystem, Platform } from "../platform/index.ts";

/**
 * The platform, on Windows without shares and devices: only to look at `\\host\share` sends the user's name and a
 * hash of the password to that host, so nothing there is looked at before a call is allowed. Each of them fails
 * as if it could not be read.
 */
export function withoutShares(platform: Platform): Platform {
  if (platform.os !== "win32") return platform;
  const fs = new Proxy(platform.fs, {
    get(target, name) {
      const found: unknown = target[name as keyof FileSystem];
      if (typeof found !== "function") return found;
      return (path: unknown, ...rest: unknown[]): unknown => {
        if (typeof path !== "string" || !/^[\\/]{2}/.test(path)) return found.call(target, path, ...rest);
        const error = Object.assign(new Error(`EACCES: ${path} lies on another machine`), { code: "EACCES" });
        if (String(name).endsWith("Sync")) throw error;
        return Promise.reject(error);
      };
    },
  });
  return { ...platform, fs };
}
