import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";

/**
 * The items of a YAML list, each with its 1-based line. Anchors, aliases and merge keys (`<<`) are read.
 *
 * @throws Fault (usage) naming file, line and fix.
 */
export async function yamlCases(
  file: string,
  text: string,
): Promise<{ readonly line: number; readonly value: unknown }[]> {
  // Most files of cases are JSON: only the others pay for the parser.
  const { isSeq, LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, merge: true, prettyErrors: false });
  const [wrong] = [...document.errors, ...document.warnings];
  const at = (offset: number): number => Math.max(1, lineCounter.linePos(offset).line);
  if (wrong?.code === "MULTIPLE_DOCS")
    throw fault(file, at(wrong.pos[0]), "a second document begins, and only one is read");
  if (wrong !== undefined) throw fault(file, at(wrong.pos[0]), `it is no YAML: ${wrong.message}`);
  const list = document.contents;
  if (list === null) return [];
  if (!isSeq(list)) throw fault(file, at(list.range?.[0] ?? 0), "it is no list");
  let values: unknown;
  try {
    values = document.toJS();
  } catch (error) {
    throw fault(file, 1, `it cannot be read: ${(error as Error).message}`, error);
  }
  return (values as unknown[]).map((value, index) => {
    const item = list.items[index] as { readonly range?: readonly number[] | null } | undefined;
    return { line: at(item?.range?.[0] ?? 0), value };
  });
}

function fault(file: string, line: number, what: string, cause?: unknown): Fault {
  return new Fault(
    EXIT.usage,
    `${file}, line ${line}: ${what}. Write a list of cases, each an object.`,
    cause,
  );
}
