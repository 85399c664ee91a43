import type { Wakes, WakesHost } from "./wake-types.ts";

/** Its code is loaded when it is first used. */
export function wakesOf(host: WakesHost): Wakes {
  const load = (): Promise<typeof import("./run-wakes.ts")> => {
    host.mustBeOpen();
    return import("./run-wakes.ts");
  };
  return {
    list: async (options) => (await load()).listWakes(host, options),
    run: async (options) => (await load()).runWakes(host, options),
  };
}
