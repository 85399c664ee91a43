import { nodePlatform, type Platform } from "../../platform/index.ts";

/** For tests: another program that works on a file just before the first draft of ours is made beside it. */
export function withOther(work: () => Promise<unknown>): Platform {
  const platform = nodePlatform();
  let isDone = false;
  const fs = new Proxy(platform.fs, {
    get(target, name) {
      if (name !== "open" || isDone) return Reflect.get(target, name);
      return async (...given: Parameters<typeof target.open>) => {
        isDone = true;
        await work();
        return target.open(...given);
      };
    },
  });
  return { ...platform, fs };
}
