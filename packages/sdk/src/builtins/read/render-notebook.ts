import type { ContentBlock } from "../../protocol/index.ts";
import { cutAt } from "../../tools/index.ts";
import { MOST_IMAGE_BYTES, mediaKind } from "./media-kind.ts";

const MOST_OUTPUT = 10_000;
const MOST_CHARACTERS = 200_000;
const MOST_IMAGES = 20;

type Plain = { readonly [key: string]: unknown };

/** The cells of a notebook with their outputs, or undefined when the text is no notebook. */
export function renderNotebook(text: string): ContentBlock[] | undefined {
  const cells = cellsOf(text);
  if (cells === undefined) return undefined;
  const blocks: ContentBlock[] = [];
  let size = 0;
  let images = 0;
  for (const [index, cell] of cells.entries()) {
    const rendered = renderCell(cell, index);
    for (const block of rendered) {
      if (block.type === "text") size += block.text.length;
      else images += 1;
    }
    if ((size > MOST_CHARACTERS || images > MOST_IMAGES) && index > 0) {
      blocks.push({ type: "text", text: `(Cells ${index + 1} to ${cells.length} are not shown: too long.)` });
      break;
    }
    blocks.push(...rendered);
  }
  if (blocks.length === 0) blocks.push({ type: "text", text: "(The notebook has no cells.)" });
  return blocks;
}

function cellsOf(text: string): Plain[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isPlain(value) && Array.isArray(value.cells) ? value.cells.filter(isPlain) : undefined;
}

function renderCell(cell: Plain, index: number): ContentBlock[] {
  const id = typeof cell.id === "string" ? ` id="${cell.id}"` : "";
  const kind = typeof cell.cell_type === "string" ? cell.cell_type : "unknown";
  const source = `<cell number="${index + 1}"${id} type="${kind}">\n${joined(cell.source)}\n</cell>`;
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isPlain) : [];
  return [{ type: "text", text: source }, ...outputs.flatMap(renderOutput)];
}

function renderOutput(output: Plain): ContentBlock[] {
  if (output.output_type === "stream") return textOutput(joined(output.text));
  if (output.output_type === "error") {
    const trace = joined(output.traceback, "\n") || `${output.ename}: ${output.evalue}`;
    return textOutput(trace);
  }
  const data = isPlain(output.data) ? output.data : {};
  const image = ["image/png", "image/jpeg"].find((type) => typeof data[type] === "string");
  const text = textOutput(joined(data["text/plain"]));
  if (image === undefined) return text;
  return [...text, imageOutput(joined(data[image]).replace(/\s/g, ""))];
}

/** A provider refuses a whole request for one image that is too large or none, so such a one is only named. */
function imageOutput(base64: string): ContentBlock {
  const bytes = Buffer.from(base64, "base64");
  const media = mediaKind(bytes);
  const isFine = media.kind === "image" && bytes.length <= MOST_IMAGE_BYTES;
  if (isFine) return { type: "image", data: bytes.toString("base64"), mimeType: media.mimeType };
  return { type: "text", text: `(An image of ${bytes.length} bytes that cannot be shown.)` };
}

function textOutput(text: string): ContentBlock[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with the escape character
  const plain = text.replace(/\x1b\[[0-9;]*m/g, "");
  if (plain === "") return [];
  const kept = cutAt(plain, MOST_OUTPUT);
  const note = kept.length < plain.length ? `… [${plain.length - kept.length} more characters]` : "";
  return [{ type: "text", text: `<output>\n${kept}${note}\n</output>` }];
}

/** Notebooks keep a text as one string or as a list of pieces. */
function joined(value: unknown, between = ""): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((each) => typeof each === "string").join(between) : "";
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
