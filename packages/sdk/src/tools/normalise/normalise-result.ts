import type { ArtifactRef, JsonValue, ResultPart, ToolDefinition } from "../../protocol/index.ts";
import { errorText } from "../../protocol/index.ts";
import { kindOf } from "./blocks.ts";
import { cut } from "./cut.ts";
import { readFlags } from "./flags.ts";
import { readMain } from "./main-content.ts";
import { type RawResult, readRaw } from "./raw.ts";
import { artifactLine, imagePart, readStored } from "./stored.ts";
import { toJson } from "./to-json.ts";
import { WANTED } from "./wanted.ts";

/** What a call came to: all that the model gets, and what the host keeps. */
export interface NormalisedResult {
  /** At least one part. Images, audio and blobs are file parts; what is no image must be stored before a model reads on. */
  readonly content: readonly ResultPart[];
  readonly isError: boolean;
  /** For the host: `structuredContent`, else an `output` that is no text. */
  readonly structured?: JsonValue;
  readonly artifacts?: readonly ArtifactRef[];
  /** For the log, each a sentence that names the tool. */
  readonly warnings: readonly string[];
}

/**
 * Makes of whatever a handler returned what a model can read. Pure and total: it never throws, whatever getters,
 * proxies or cycles stand in the value, and nothing malformed passes as success.
 */
export function normaliseResult(raw: unknown, tool: Pick<ToolDefinition, "name">): NormalisedResult {
  try {
    return normalise(raw, tool.name);
  } catch (error) {
    return failure(`Reading the result of ${tool.name} failed: ${cut(errorText(error), 500)}. ${WANTED}`);
  }
}

function normalise(raw: unknown, name: string): NormalisedResult {
  if (raw === null || raw === undefined) {
    return failure(`${name} returned ${raw === null ? "null" : "nothing (undefined)"}. ${WANTED}`);
  }
  if (typeof raw !== "object" || Array.isArray(raw)) return strange(raw, name);
  if (raw instanceof Error) return failure(`${name} returned an Error: ${cut(errorText(raw), 2_000)}`);
  const fields = readRaw(raw);
  if (!fields.known) {
    const keys = Object.keys(raw);
    const listed = keys.length === 0 ? "it has no keys" : `its keys are ${cut(keys.join(", "), 500)}`;
    return failure(`${name} returned an object without content; ${listed}. ${WANTED}`);
  }
  return fromFields(fields, name);
}

function fromFields(fields: RawResult, name: string): NormalisedResult {
  const faults: string[] = [];
  const warnings: string[] = [];
  const flags = readFlags(fields);
  if (flags.fault !== undefined) faults.push(flags.fault);
  const main = readMain(fields, flags.isError);
  faults.push(...main.faults);
  for (const type of main.skipped) {
    warnings.push(`${name} returned a content block of the unknown type "${type}"; it was left out.`);
  }
  const images = readStored(fields.images, "images");
  const stored = readStored(fields.artifacts, "artifacts");
  for (const reading of [images, stored]) if (!reading.ok) faults.push(reading.why);
  const artifacts = stored.ok ? stored.refs : [];
  const structured = readStructured(fields, faults);
  const parts: ResultPart[] = [
    ...main.parts,
    ...artifacts.map((ref): ResultPart => ({ type: "text", text: artifactLine(ref) })),
    ...(images.ok ? images.refs.map(imagePart) : []),
  ].filter((part) => part.type !== "text" || part.text.trim() !== "");
  const isError = flags.isError || faults.length > 0;
  if (faults.length > 0)
    parts.unshift({
      type: "text",
      text: `The result of ${name} is malformed: ${faults.join("; ")}. ${WANTED}`,
    });
  if (parts.length === 0) parts.push({ type: "text", text: isError ? "tool failed" : "(no output)" });
  return {
    content: parts,
    isError,
    ...(structured === undefined ? {} : { structured }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    warnings,
  };
}

function readStructured({ structuredContent, output }: RawResult, faults: string[]): JsonValue | undefined {
  const given = structuredContent ?? (typeof output === "string" ? undefined : output);
  if (given === undefined || given === null) return undefined;
  const json = toJson(given);
  if (json.ok) return json.value;
  // A fault of the output is told where the output is read for the model.
  if (structuredContent !== undefined) faults.push(`structuredContent is not JSON: ${json.why}`);
  return undefined;
}

function strange(raw: unknown, name: string): NormalisedResult {
  const json = typeof raw === "string" ? { ok: true as const, value: raw } : toJson(raw);
  const text = json.ok
    ? typeof json.value === "string"
      ? json.value
      : JSON.stringify(json.value)
    : json.why;
  const note = `(${name} returned ${kindOf(raw)} instead of a result. ${WANTED})`;
  return failure(...(text.trim() === "" ? [note] : [text, note]));
}

function failure(...texts: string[]): NormalisedResult {
  return { content: texts.map((text) => ({ type: "text", text })), isError: true, warnings: [] };
}
