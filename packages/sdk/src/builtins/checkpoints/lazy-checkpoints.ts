import type { Checkpoints } from "../../protocol/index.ts";
import type { CheckpointDeps } from "./create-checkpoints.ts";

/** Checkpoints whose code is loaded when the first file is changed. */
export function lazyCheckpoints(deps: CheckpointDeps): Checkpoints {
  let made: Promise<Checkpoints> | undefined;
  const load = (): Promise<Checkpoints> => {
    made ??= import("./create-checkpoints.ts").then(({ createCheckpoints }) => createCheckpoints(deps));
    return made;
  };
  return {
    before: async (callId, changes) => (await load()).before(callId, changes),
    undone: async (callId, paths) => (await load()).undone(callId, paths),
    beforeLine: async (callId, targets) => (await load()).beforeLine(callId, targets),
  };
}
