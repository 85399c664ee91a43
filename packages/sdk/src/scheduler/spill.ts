import { putArtifact } from "../artifacts/index.ts";
import type { ArtifactRef, ResultPart, ToolDefinition } from "../protocol/index.ts";
import { errorText } from "../protocol/index.ts";
import { cutPoint, MAX_RESULT_CHARS } from "../tools/index.ts";
import type { SchedulerDeps } from "./types.ts";

export interface Spilled {
  readonly content: readonly ResultPart[];
  readonly artifact?: ArtifactRef;
}

const HEAD_SHARE = 0.6;

/**
 * Keeps a result within the tool's limit: the whole text is stored, and the model gets its head, its
 * tail, its size, and how to get at the rest. A result within the limit is given back untouched.
 */
export async function spill(
  content: readonly ResultPart[],
  tool: Pick<ToolDefinition, "name" | "maxResultSizeChars">,
  deps: Pick<SchedulerDeps, "artifacts" | "platform" | "notify">,
): Promise<Spilled> {
  const limit = Math.min(tool.maxResultSizeChars, MAX_RESULT_CHARS);
  const size = content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
  if (size <= limit) return { content };

  const whole = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const artifact = await store(whole, tool.name, deps);
  const keptAs =
    artifact === undefined ? "" : ` The whole is kept as artifact ${artifact.id}, for people to open.`;
  const how = `To read what is missing, call ${tool.name} again for less at a time (a range, a filter, a smaller part).`;
  const notice = (left: number): string =>
    `[${left} of ${whole.length} characters are left out here.${keptAs} ${how}]`;

  const room = Math.max(0, limit - notice(whole.length).length - 4);
  const head = whole.slice(0, cutPoint(whole, Math.ceil(room * HEAD_SHARE)));
  const tail = whole.slice(cutPoint(whole, whole.length - Math.floor(room * (1 - HEAD_SHARE))));
  const text = `${head}\n\n${notice(whole.length - head.length - tail.length)}\n\n${tail}`;
  return {
    content: [{ type: "text", text }, ...content.filter((part) => part.type !== "text")],
    ...(artifact === undefined ? {} : { artifact }),
  };
}

/** A full disk must not take the result away; then only the middle is lost, and people are told. */
async function store(
  whole: string,
  name: string,
  deps: Pick<SchedulerDeps, "artifacts" | "platform" | "notify">,
): Promise<ArtifactRef | undefined> {
  try {
    return await putArtifact(deps.artifacts, deps.platform, whole, "text/plain");
  } catch (error) {
    const why = errorText(error);
    deps.notify("warning", `A long result of ${name} could not be stored whole: ${why}`);
    return undefined;
  }
}
