import type { Platform } from "../../platform/index.ts";
import type { BuiltinContext, JsonObject, ToolResult } from "../../protocol/index.ts";
import { need } from "../deps.ts";
import { checkSeen } from "../files/check-seen.ts";
import { type DecodedText, decodeText, encodingName } from "../files/decode-text.ts";
import { encodeText, isFaithful } from "../files/encode-text.ts";
import { type JudgedPath, judgedPath } from "../files/judged-path.ts";
import { type LoadedFile, loadFile } from "../files/load-file.ts";
import { makeDiff } from "../files/make-diff.ts";
import { writeKept } from "../files/write-kept.ts";
import { failure, textResult } from "../results.ts";
import { explainNoMatch } from "./explain-no-match.ts";
import { MOST_CHANGED, MOST_COUNTED, type Region, replaceText } from "./replace-text.ts";
import { showChanges } from "./show-changes.ts";

interface Wanted {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

type Planned =
  | { readonly ok: true; readonly text: string; readonly regions: readonly Region[] }
  | { readonly ok: false; readonly text: string };

/** Replaces text in a file that the model has seen as it is now. */
export async function editFile(
  platform: Platform,
  input: JsonObject,
  context: BuiltinContext,
): Promise<ToolResult> {
  const wanted = {
    oldText: String(input.old_string),
    newText: String(input.new_string),
    all: input.replace_all === true,
  };
  const judged = judgedPath(context);
  if (!judged.ok) return failure(judged.text);
  const { path } = judged;
  const loaded = await loadFile(platform, path);
  if (loaded.kind === "refused") return failure(loaded.text);
  if (loaded.kind === "missing") return create(platform, path, wanted, context);
  const unseen = checkSeen(need(context.services, "files"), path, loaded.file);
  if (unseen !== undefined) return failure(unseen);
  const decoded = decodeText(loaded.file.bytes);
  if (decoded === undefined) return failure(`${path.given} is a binary file; Edit changes text files only.`);
  const planned = plan(decoded, wanted, path);
  if (!planned.ok) return failure(planned.text);
  return store(platform, path, loaded.file, decoded, planned, context);
}

function plan(decoded: DecodedText, wanted: Wanted, path: JudgedPath): Planned {
  if (wanted.oldText === "") {
    if (decoded.text === "") {
      return { ok: true, text: wanted.newText, regions: [{ start: 0, end: wanted.newText.length }] };
    }
    const text = `old_string is empty, and ${path.given} is not: give the text to replace. To add text, replace a line by itself and the new text.`;
    return { ok: false, text };
  }
  const replaced = replaceText(decoded.text, wanted.oldText, wanted.newText, wanted.all);
  if (replaced.kind === "replaced") return { ok: true, text: replaced.text, regions: replaced.regions };
  if (replaced.kind === "none") {
    const why = explainNoMatch(decoded.text, wanted.oldText);
    return { ok: false, text: `old_string was not found in ${path.given}.${why} Nothing was changed.` };
  }
  if (replaced.kind === "too many") {
    const text = `old_string stands more than ${MOST_CHANGED} times in ${path.given}. Change it with a program in Bash, such as sed. Nothing was changed.`;
    return { ok: false, text };
  }
  const more = replaced.count > replaced.lines.length ? " …" : "";
  const often = `${replaced.count} times${replaced.count >= MOST_COUNTED ? " or more" : ""}`;
  const text = `old_string stands ${often} in ${path.given} (lines ${replaced.lines.join(", ")}${more}). Add text around it until it is unique, or set replace_all. Nothing was changed.`;
  return { ok: false, text };
}

async function store(
  platform: Platform,
  path: JudgedPath,
  file: LoadedFile,
  decoded: DecodedText,
  planned: Planned & { ok: true },
  context: BuiltinContext,
): Promise<ToolResult> {
  if (!isFaithful(decoded, file.bytes)) {
    const text = `${path.given} looks like ${encodingName(decoded)}, but writing it back would change bytes that are not part of this edit. Convert it to UTF-8 first, for example with iconv in Bash. Nothing was changed.`;
    return failure(text);
  }
  const encoded = encodeText({ ...decoded, text: planned.text });
  if (!encoded.ok) {
    const text = `${path.given} is ${encodingName(decoded)}, which has no place for ${JSON.stringify(encoded.character)}. Use other characters, or convert the file to UTF-8 first. Nothing was changed.`;
    return failure(text);
  }
  const stored = await writeKept(platform, path, encoded.bytes, file, context);
  if (!stored.ok) return failure(stored.text);
  const files = need(context.services, "files");
  const partial = files.get(path.real)?.partial ?? false;
  files.note(path.real, { digest: platform.sha256(encoded.bytes), partial });
  return report(path, decoded.text, planned, context);
}

async function create(
  platform: Platform,
  path: JudgedPath,
  wanted: Wanted,
  context: BuiltinContext,
): Promise<ToolResult> {
  if (wanted.oldText !== "") {
    return failure(`${path.given} does not exist. Create it with Write, or with an empty old_string.`);
  }
  const encoded = encodeText({ text: wanted.newText, encoding: "utf-8", bom: false });
  if (!encoded.ok)
    return failure("new_string holds half a character (a lone surrogate). Nothing was written.");
  const stored = await writeKept(platform, path, encoded.bytes, undefined, context);
  if (!stored.ok) return failure(stored.text);
  need(context.services, "files").note(path.real, {
    digest: platform.sha256(encoded.bytes),
    partial: false,
  });
  const regions = [{ start: 0, end: wanted.newText.length }];
  return report(path, "", { ok: true, text: wanted.newText, regions }, context);
}

async function report(
  path: JudgedPath,
  before: string,
  planned: Planned & { ok: true },
  context: BuiltinContext,
): Promise<ToolResult> {
  const diff = await makeDiff(context, path.given, before, planned.text);
  const places = planned.regions.length;
  const head = `Edited ${path.given}: ${places} ${places === 1 ? "place" : "places"} changed.`;
  const shown = showChanges(planned.text, planned.regions);
  return textResult(shown === "" ? head : `${head}\n${shown}`, {
    structuredContent: {
      filePath: path.given,
      replacements: places,
      ...(diff === undefined ? {} : { added: diff.added, removed: diff.removed, ...diff.shown }),
    },
    ...(diff === undefined ? {} : { artifacts: [diff.artifact] }),
  });
}
