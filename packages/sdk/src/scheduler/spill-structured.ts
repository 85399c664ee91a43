import { putArtifact } from "../artifacts/index.ts";
import type { ArtifactRef, JsonValue } from "../protocol/index.ts";
import { errorText } from "../protocol/index.ts";
import type { SchedulerDeps } from "./types.ts";

/** Characters of JSON that a structured result may have in the log. */
export const MOST_STRUCTURED = 100_000;

export interface SpilledStructure {
  readonly structured?: JsonValue;
  readonly artifact?: ArtifactRef;
}

/**
 * Keeps a long structured result out of the log, which is read whole at every resume: it becomes an
 * artifact, or is lost where the store fails. Either is told to people.
 */
export async function spillStructured(
  structured: JsonValue | undefined,
  name: string,
  deps: Pick<SchedulerDeps, "artifacts" | "platform" | "notify">,
): Promise<SpilledStructure> {
  if (structured === undefined) return {};
  if (leastLength(structured, MOST_STRUCTURED) <= MOST_STRUCTURED) return { structured };
  const what = `The structured result of ${name} has over ${MOST_STRUCTURED} characters`;
  try {
    const text = JSON.stringify(structured);
    const artifact = await putArtifact(deps.artifacts, deps.platform, text, "application/json");
    deps.notify("info", `${what}: it is kept as artifact ${artifact.id} and left out of the message.`);
    return { artifact };
  } catch (error) {
    deps.notify("warning", `${what} and could not be stored, so it is lost: ${errorText(error)}`);
    return {};
  }
}

/** The least length that a value can have as JSON, counted no further than past `most`: nothing is written for it. */
function leastLength(value: JsonValue, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 1;
  let length = 2;
  for (const key in value) {
    if (!Array.isArray(value)) length += key.length + 3;
    length += 1 + leastLength((value as { [key: string]: JsonValue })[key] ?? null, most - length);
    if (length > most) break;
  }
  return length;
}
