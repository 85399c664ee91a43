import type { FilePart, ToolMessage, ToolResultPart } from "../../../protocol/index.ts";
import { type FileForm, fileForm, type LoadedFiles } from "./files.ts";

/** The results of a round where results hold text only: their images follow in a message of the user. */
export interface SplitResults {
  readonly texts: readonly { readonly part: ToolResultPart; readonly text: string }[];
  readonly files: readonly {
    readonly label: string;
    readonly shape: FileForm & { readonly source: object };
  }[];
}

export function splitResults(message: ToolMessage, loaded: LoadedFiles): SplitResults {
  const files: SplitResults["files"][number][] = [];
  const texts = message.parts.map((part) => {
    const lines = part.content.map((item) => (item.type === "text" ? item.text : place(item, part)));
    const said = lines.filter((line) => line !== "").join("\n");
    return { part, text: marked(part, said) };
  });
  return { texts, files };

  function place(file: FilePart, part: ToolResultPart): string {
    const shape = fileForm(file, loaded);
    if (shape.form === "text") return shape.text;
    const number = files.length + 1;
    files.push({ label: `Attachment ${number}, from the result of ${part.name}:`, shape });
    return `[attachment ${number} follows in the next message]`;
  }
}

/** These formats have no mark for a failed call, so its text says it. */
function marked({ isError }: ToolResultPart, said: string): string {
  if (!isError) return said === "" ? "(no output)" : said;
  if (said === "") return "Error: the tool failed.";
  return /^error\b/i.test(said) ? said : `Error: ${said}`;
}
