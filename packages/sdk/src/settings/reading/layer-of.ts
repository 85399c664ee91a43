import { findNodeAtLocation } from "jsonc-parser";
import { CastellanError, type RuleSource } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import { TIGHTENING } from "../known-keys.ts";
import type { CompatHost, SettingsFinding, SettingsLayer } from "../types.ts";
import { type Draft, keyText, type Path } from "./draft.ts";
import { lineAt, type ParsedText, parseText } from "./parse-text.ts";
import { readRoot } from "./read-root.ts";

/** Settings as they were given: an object, or the text of a file (JSON with comments and trailing commas). */
export interface LayerInput {
  readonly source: RuleSource;
  /** The path of the file or the name of the option, for messages. */
  readonly file: string;
  /** The object. It is taken where no `text` is given. */
  readonly value?: unknown;
  readonly text?: string;
  readonly compat?: CompatHost;
}

/** A layer, and what its author should know. */
export interface ReadLayer {
  readonly layer: SettingsLayer;
  readonly findings: readonly SettingsFinding[];
  /** A part of it may hold denies and cannot be read: every call must ask. One sentence that names the place. */
  readonly broken?: string;
}

/**
 * An object, or a text, as a layer. Every key is checked: an unknown one is reported with the nearest that is known,
 * one at the wrong level with its place, a value of the wrong type with what was expected.
 *
 * @throws CastellanError `invalid_settings` for a text that is no JSON object. In the flag layer and the machine's policy
 * also where a part that may hold denies cannot be read; elsewhere `broken` tells that.
 */
export function layerOf(input: LayerInput): ReadLayer {
  const read = tryLayer(input);
  if ("problem" in read) throw unreadable(input.file, read.problem);
  return read;
}

/** As `layerOf()`; the problem of one that cannot be read is given back. */
export function tryLayer(input: LayerInput): ReadLayer | { readonly problem: string } {
  const { source, file, text, compat } = input;
  const parsed = text === undefined ? undefined : parseText(text);
  if (parsed !== undefined && "fault" in parsed) return { problem: `line ${parsed.line}: ${parsed.fault}` };
  const value = parsed === undefined ? input.value : parsed.value;
  if (!isJsonObject(value)) return { problem: "it is no object of settings" };
  const lines = linesOf(text, parsed);
  const draft = draftOf(input, lines);
  tellDoubled(draft, parsed?.doubled ?? []);
  const settings = readRoot(value, draft);
  const { broken, moved } = draft;
  if (broken !== undefined && STRICT.has(source)) return { problem: broken };
  const layer: SettingsLayer = {
    source,
    file,
    settings,
    ...(compat === undefined ? {} : { compat }),
    ofProject: source === "projectSettings" || source === "localSettings",
    line: (path) => lines(moved.get(keyText(path)) ?? path),
  };
  return {
    layer,
    findings: draft.findings,
    ...(broken === undefined ? {} : { broken: `${file}: ${broken}` }),
  };
}

/** Whoever gives these means them to count: a session does not begin without them. */
const STRICT: ReadonlySet<RuleSource> = new Set(["policySettings", "flagSettings", "cliArg", "command"]);

/** The error of settings that cannot be read. */
export function unreadable(file: string, problem: string, cause?: unknown): CastellanError {
  return new CastellanError("invalid_settings", `The settings of ${file} cannot be read: ${problem}.`, {
    subject: file,
    fix: "Mend them: no session begins without them.",
    cause,
  });
}

/** The line of a place, or of the nearest that holds it. */
function linesOf(
  text: string | undefined,
  parsed: ParsedText | undefined,
): (path: Path) => number | undefined {
  return (path) => {
    if (text === undefined || parsed?.root === undefined) return undefined;
    for (let length = path.length; length > 0; length -= 1) {
      const node = findNodeAtLocation(parsed.root, path.slice(0, length));
      // The key stands where its author looks for it; a list may open on the line below.
      const place = node?.parent?.type === "property" ? node.parent : node;
      if (place !== undefined) return lineAt(text, place.offset);
    }
    return 1;
  };
}

function draftOf({ source, file, compat }: LayerInput, line: (path: Path) => number | undefined): Draft {
  const findings: SettingsFinding[] = [];
  return {
    source,
    foreign: compat !== undefined,
    findings,
    moved: new Map(),
    broken: undefined,
    tell(path, { code, severity, message, fix }) {
      const at = line(path);
      findings.push({
        code,
        severity,
        source,
        file,
        ...(at === undefined ? {} : { line: at }),
        key: keyText(path),
        message,
        ...(fix === undefined ? {} : { fix }),
      });
    },
  };
}

/** Of two keys of one name the first would count for nothing. */
function tellDoubled(draft: Draft, doubled: readonly Path[]): void {
  for (const path of doubled) {
    const [first, second] = path;
    const name = String(path.at(-1));
    const isOurs = path.length === 1 || (path.length === 2 && first === "permissions");
    const matters = isOurs && TIGHTENING.has(String(second ?? first));
    if (matters) draft.broken ??= `the key ${keyText(path)} stands there twice`;
    draft.tell(path, {
      code: "doubled-key",
      severity: matters ? "error" : "warning",
      message: `The key ${name} stands there twice.`,
      fix: "Put both into one.",
    });
  }
}
