import type { ResultPart } from "../../protocol/index.ts";
import { BLOCK_TYPES, kindOf, readBlock } from "./blocks.ts";
import { cut } from "./cut.ts";
import type { RawResult } from "./raw.ts";
import { toJson } from "./to-json.ts";

/** What of a result goes to the model, what is wrong with it, and the unknown types that were left out. */
export interface MainContent {
  readonly parts: readonly ResultPart[];
  readonly faults: readonly string[];
  readonly skipped: readonly string[];
}

const MAX_BLOCKS = 10_000;

/** `content` wins over `output`; without either, structured content or the summary stands for them. */
export function readMain(raw: RawResult, isError: boolean): MainContent {
  const summary = typeof raw.summary === "string" ? raw.summary : "";
  const main = raw.content !== undefined ? readContent(raw.content) : readOutput(raw.output);
  const isEmpty = main.parts.length === 0 && main.faults.length === 0;
  if (isEmpty && raw.structuredContent !== undefined && raw.structuredContent !== null) {
    const json = toJson(raw.structuredContent);
    // That it is no JSON is told where it is kept for the host.
    return textsOf(...(isError ? [summary] : []), ...(json.ok ? [asText(json.value)] : []));
  }
  if (isEmpty || isError) return { ...main, parts: [...textsOf(summary).parts, ...main.parts] };
  return main;
}

function readOutput(output: unknown): MainContent {
  if (output === undefined) return textsOf();
  const json = toJson(output);
  if (json.ok) return textsOf(asText(json.value));
  return { parts: [], faults: [`output is not JSON: ${json.why}`], skipped: [] };
}

function readContent(content: unknown): MainContent {
  if (!Array.isArray(content)) {
    const parts = typeof content === "string" ? textsOf(content).parts : [];
    return { parts, faults: [`content must be a list of blocks, but is ${kindOf(content)}`], skipped: [] };
  }
  const parts: ResultPart[] = [];
  const faults: string[] = [];
  const skipped: string[] = [];
  const count = Math.min(content.length, MAX_BLOCKS);
  for (let index = 0; index < count; index++) {
    const reading = readBlock(content[index]);
    if (reading.kind === "part") parts.push(reading.part);
    else if (reading.kind === "skipped") skipped.push(reading.type);
    else if (faults.length < 5) faults.push(`content[${index}]: ${reading.why}`);
  }
  if (content.length > MAX_BLOCKS) faults.push(`content has ${content.length} blocks, over ${MAX_BLOCKS}`);
  if (skipped.length > 0 && parts.length === 0 && faults.length === 0) {
    const types = cut([...new Set(skipped)].join(", "), 200);
    faults.push(`no block of content can be read (${types}); the types are ${BLOCK_TYPES.join(", ")}`);
  }
  return { parts, faults, skipped };
}

function textsOf(...texts: string[]): MainContent {
  const parts = texts
    .filter((text) => text.trim() !== "")
    .map((text): ResultPart => ({ type: "text", text }));
  return { parts, faults: [], skipped: [] };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
