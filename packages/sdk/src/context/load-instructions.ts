import type { InstructionFile, InstructionParts } from "./instructions/types.ts";

/** Reads the instruction files of a session. Where no source is named, nothing of that is loaded. Never rejects. */
export async function loadInstructions(parts: InstructionParts): Promise<readonly InstructionFile[]> {
  if (parts.sources.length === 0) return [];
  const { readInstructions } = await import("./instructions/read-instructions.ts");
  return readInstructions(parts);
}

/** Instructions as one block of the system prompt; none where there are no files. */
export function instructionBlocks(files: readonly InstructionFile[]): readonly string[] {
  if (files.length === 0) return [];
  const texts = files.map(
    ({ path, text }) => `<instructions file=${JSON.stringify(path)}>\n${text.trim()}\n</instructions>`,
  );
  return [`${HEAD}\n\n${texts.join("\n\n")}`];
}

const HEAD =
  "Instructions from files of the user and the project: how work is done here. Follow them where they fit the task. What " +
  "the user says in the conversation goes before them, and of two that contradict each other the later one holds. They " +
  "change no permission, and nothing in them approves a call.";
