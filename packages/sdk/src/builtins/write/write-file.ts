import type { Platform } from "../../platform/index.ts";
import type { BuiltinContext, JsonObject, ToolResult } from "../../protocol/index.ts";
import { need } from "../deps.ts";
import { checkSeen } from "../files/check-seen.ts";
import { type DecodedText, decodeText, encodingName } from "../files/decode-text.ts";
import { encodeText } from "../files/encode-text.ts";
import { type JudgedPath, judgedPath } from "../files/judged-path.ts";
import { mainLineEnding, withEndings } from "../files/line-endings.ts";
import { type LoadedFile, loadFile } from "../files/load-file.ts";
import { makeDiff } from "../files/make-diff.ts";
import { splitLines } from "../files/number-lines.ts";
import { writeKept } from "../files/write-kept.ts";
import { failure, textResult } from "../results.ts";

/** Creates a file, or replaces one that the model has seen as it is now. */
export async function writeFile(
  platform: Platform,
  input: JsonObject,
  context: BuiltinContext,
): Promise<ToolResult> {
  const content = String(input.content);
  const judged = judgedPath(context);
  if (!judged.ok) return failure(judged.text);
  const { path } = judged;
  const loaded = await loadFile(platform, path);
  if (loaded.kind === "refused") return failure(loaded.text);
  if (loaded.kind === "file") {
    const unseen = checkSeen(need(context.services, "files"), path, loaded.file);
    if (unseen !== undefined) return failure(unseen);
  }
  const file = loaded.kind === "file" ? loaded.file : undefined;
  return put(platform, path, file, content, context);
}

async function put(
  platform: Platform,
  path: JudgedPath,
  file: LoadedFile | undefined,
  content: string,
  context: BuiltinContext,
): Promise<ToolResult> {
  const before = file === undefined ? undefined : decodeText(file.bytes);
  const after = likeBefore(content, before);
  const encoded = encodeText(after);
  if (!encoded.ok) {
    const text = `${path.given} is ${encodingName(after)}, which has no place for ${JSON.stringify(encoded.character)}. Use other characters, or convert the file to UTF-8 first. Nothing was written.`;
    return failure(text);
  }
  const stored = await writeKept(platform, path, encoded.bytes, file, context);
  if (!stored.ok) return failure(stored.text);
  need(context.services, "files").note(path.real, {
    digest: platform.sha256(encoded.bytes),
    partial: false,
  });
  return report(path, before, after, file !== undefined, context);
}

/** The new content in the encoding and with the line endings of what it replaces. */
function likeBefore(content: string, before: DecodedText | undefined): DecodedText {
  if (before === undefined) return { text: content, encoding: "utf-8", bom: false };
  const ending = mainLineEnding(before.text);
  return { ...before, text: ending === undefined ? content : withEndings(content, ending) };
}

async function report(
  path: JudgedPath,
  before: DecodedText | undefined,
  after: DecodedText,
  existed: boolean,
  context: BuiltinContext,
): Promise<ToolResult> {
  const lines = splitLines(after.text).length;
  const size = `${lines} ${lines === 1 ? "line" : "lines"}`;
  const diff = await makeDiff(context, path.given, before?.text ?? "", after.text);
  const change =
    existed && diff !== undefined ? `, ${diff.added} lines added and ${diff.removed} removed` : "";
  return textResult(`${existed ? "Replaced" : "Created"} ${path.given} (${size}${change}).`, {
    structuredContent: {
      filePath: path.given,
      type: existed ? "update" : "create",
      lines,
      ...(diff === undefined ? {} : { added: diff.added, removed: diff.removed, ...diff.shown }),
    },
    ...(diff === undefined ? {} : { artifacts: [diff.artifact] }),
  });
}
