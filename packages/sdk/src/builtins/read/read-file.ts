import type { Platform } from "../../platform/index.ts";
import type { BuiltinContext, ContentBlock, JsonObject, ToolResult } from "../../protocol/index.ts";
import { need } from "../deps.ts";
import { decodeText, encodingName } from "../files/decode-text.ts";
import { type JudgedPath, judgedPath } from "../files/judged-path.ts";
import { type LoadedFile, loadFile } from "../files/load-file.ts";
import { nearestNames } from "../files/nearest-names.ts";
import { failure } from "../results.ts";
import { MOST_IMAGE_BYTES, mediaKind } from "./media-kind.ts";
import { renderNotebook } from "./render-notebook.ts";
import { MOST_LINES, renderText } from "./render-text.ts";

type Shown =
  | { readonly ok: true; readonly content: ContentBlock[]; readonly partial: boolean }
  | { readonly ok: false; readonly text: string };

/** Shows a file and remembers what was seen of it. */
export async function readFile(
  platform: Platform,
  input: JsonObject,
  context: BuiltinContext,
): Promise<ToolResult> {
  const judged = judgedPath(context);
  if (!judged.ok) return failure(judged.text);
  const loaded = await loadFile(platform, judged.path);
  if (loaded.kind === "refused") return failure(loaded.text);
  if (loaded.kind === "missing") return failure(await missing(platform, judged.path, context));
  const shown = show(loaded.file, judged.path, input);
  if (!shown.ok) return failure(shown.text);
  need(context.services, "files").note(judged.path.real, {
    digest: loaded.file.digest,
    partial: shown.partial,
  });
  return { content: shown.content };
}

function show(file: LoadedFile, path: JudgedPath, input: JsonObject): Shown {
  const media = mediaKind(file.bytes);
  if (media.kind === "image") return showImage(file, path, media.mimeType);
  if (media.kind === "pdf") {
    const text = `${path.given} is a PDF. Reading it needs the document support that is not part of this release. Where pdftotext is installed, run: pdftotext FILE - in Bash.`;
    return { ok: false, text };
  }
  const decoded = decodeText(file.bytes);
  if (decoded === undefined) {
    const text = `${path.given} is a binary file (${file.bytes.length} bytes), which cannot be shown as text. Look at it with a program in Bash, such as file or xxd.`;
    return { ok: false, text };
  }
  if (/\.ipynb$/i.test(path.given)) {
    const content = renderNotebook(decoded.text);
    if (content !== undefined) return { ok: true, content, partial: false };
  }
  const slice = { offset: number(input.offset, 1), limit: number(input.limit, MOST_LINES) };
  const rendered = renderText(decoded.text, slice);
  const notes = decoded.encoding === "utf-8" ? "" : `\n\n(The file is ${encodingName(decoded)}.)`;
  return {
    ok: true,
    content: [{ type: "text", text: `${rendered.text}${notes}` }],
    partial: rendered.partial,
  };
}

function showImage(file: LoadedFile, path: JudgedPath, mimeType: string): Shown {
  if (file.bytes.length > MOST_IMAGE_BYTES) {
    const size = (file.bytes.length / 1e6).toFixed(1);
    const text = `${path.given} is an image of ${size} MB; at most ${MOST_IMAGE_BYTES / 1e6} MB can be shown. Make a smaller copy and read that.`;
    return { ok: false, text };
  }
  const data = Buffer.from(file.bytes).toString("base64");
  return { ok: true, content: [{ type: "image", data, mimeType }], partial: false };
}

async function missing(platform: Platform, path: JudgedPath, context: BuiltinContext): Promise<string> {
  const mayRead = context.services.mayRead;
  const near = mayRead === undefined ? [] : await nearestNames(platform.fs, path, mayRead);
  const hint = near.length === 0 ? "" : ` Did you mean ${near.join(", ")}?`;
  return `${path.given} does not exist. Relative paths start at ${context.cwd}.${hint}`;
}

/** A number of the validated input, at least 1. */
function number(value: unknown, otherwise: number): number {
  return typeof value === "number" ? Math.max(1, Math.trunc(value)) : otherwise;
}
