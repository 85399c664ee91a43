import type { Redirection } from "unbash";
import { isFreeDevice } from "../protocol/index.ts";
import { addPath } from "./paths.ts";
import { type Input, NO_INPUT, type State, UNKNOWN_INPUT } from "./state.ts";
import { isOpaqueName } from "./variables.ts";
import type { Walk } from "./walk-types.ts";
import { decodeWord } from "./words/decode.ts";
import { alternativesOf, type Decoded, onlyWord, startOf, unknown } from "./words/decoded.ts";
import { isTooDeep } from "./words/deep-word.ts";
import { walkNested } from "./words/parts.ts";

/** Notes what redirects touch, and returns what the command then reads as its input. */
export function applyRedirects(
  redirects: readonly Redirection[],
  walk: Walk,
  state: State,
  command: number,
): Input {
  let input = state.input;
  for (const redirect of redirects) {
    const descriptor = redirect.descriptor;
    if (descriptor?.type === "FileDescriptorVariable" && isOpaqueName(descriptor.name)) {
      walk.block("assignment", `{${descriptor.name}}`);
    }
    const isInput =
      descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
    if (redirect.type === "HereDoc") {
      const text = hereDocumentText(redirect, walk, state);
      if (isInput) input = text === undefined ? UNKNOWN_INPUT : { kind: "literal", text };
    } else if (redirect.type === "HereString") {
      const word =
        redirect.target === undefined ? undefined : onlyWord(decodeWord(redirect.target, walk, state, true));
      if (!isInput) continue;
      const value = word?.glob === true ? undefined : word?.value;
      input = value === undefined ? UNKNOWN_INPUT : { kind: "literal", text: `${value}\n` };
    } else {
      input = applyFile(redirect, walk, state, command, input, isInput);
    }
  }
  return input;
}

function applyFile(
  redirect: Extract<Redirection, { type: "Redirect" }>,
  walk: Walk,
  state: State,
  command: number,
  input: Input,
  isInput: boolean,
): Input {
  const { operator, target } = redirect;
  if (target === undefined) return input;
  const reads = operator === "<" || operator === "<>" || operator === "<&";
  const items = alternativesOf(decodeWord(target, walk, state));
  let next: Input = input;
  for (const words of items) {
    for (const word of words.length === 0 ? [unknown(target.text)] : words) {
      const copies = operator === "<&" || operator === ">&";
      if (copies && word.value !== undefined && /^(?:\d+-?|-)$/.test(word.value)) {
        if (operator === "<&" && isInput) next = word.value === "-" ? NO_INPUT : UNKNOWN_INPUT;
        // `0>&3` copies into the input as well.
        else if (redirect.descriptor?.type === "FileDescriptor" && redirect.descriptor.value === 0)
          next = UNKNOWN_INPUT;
        continue;
      }
      if (reads && isInput) next = word.value === "/dev/null" ? NO_INPUT : UNKNOWN_INPUT;
      else if (!reads && redirect.descriptor?.type === "FileDescriptor" && redirect.descriptor.value === 0)
        next = UNKNOWN_INPUT;
      addFile(word, operator, walk, state, command);
    }
  }
  return next;
}

function addFile(word: Decoded, operator: string, walk: Walk, state: State, command: number): void {
  if (word.value !== undefined && /^\/dev\/(?:tcp|udp)\//.test(word.value)) {
    walk.block("network", word.raw);
    return;
  }
  // Half a name may still turn out to be a network device.
  const first = startOf(word);
  if (word.value === undefined && first !== "" && mayBeNetwork(first)) walk.block("network", word.raw);
  if (isFreeDevice(word.value ?? "") && !word.glob) return;
  const input = operator === "<" || operator === "<>" || operator === "<&";
  if (input) addPath(walk, state, word, { access: "read", by: "input", command });
  if (operator !== "<" && operator !== "<&")
    addPath(walk, state, word, { access: "write", by: "redirect", command });
}

/** `/dev/tc…` may go on as `/dev/tcp/`. */
function mayBeNetwork(start: string): boolean {
  return (
    start.startsWith("/dev/") &&
    ["/dev/tcp/", "/dev/udp/"].some((place) => place.startsWith(start) || start.startsWith(place))
  );
}

function hereDocumentText(
  document: Extract<Redirection, { type: "HereDoc" }>,
  walk: Walk,
  state: State,
): string | undefined {
  const quoted = document.delimiter?.quoted === true;
  let text = document.body.text;
  if (document.operator === "<<-") text = text.replace(/^\t+/gm, "");
  if (document.closing === undefined) walk.block("parse", text);
  if (quoted) return text;
  if (isTooDeep(text)) {
    walk.block("too-many", text);
    return undefined;
  }
  const parts = document.body.parts;
  if (parts?.some((part) => part.type !== "Literal")) {
    walkNested(parts, walk, state);
    return undefined;
  }
  if (/\$[\w({['"@*#?!$-]|`/.test(text.replace(/\\./gs, ""))) {
    walk.block("parse", text);
    return undefined;
  }
  return text.replace(/\\([$`\\\n])/g, (_, kept: string) => (kept === "\n" ? "" : kept));
}
