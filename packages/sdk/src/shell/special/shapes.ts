import { DIRECTORY_MARK, HOME_MARK } from "../characters.ts";
import { type Decoded, known, literal, startOf, unknown } from "../words/decoded.ts";
import type { TouchedPath } from "./judgement.ts";

/** Ways in which the value of an option holds a path. */
type Shape = (word: Decoded, text: string) => readonly TouchedPath[];

const read = (word: Decoded, text: string): TouchedPath => ({
  access: "read",
  word: literal(word.raw, text),
});

function shown(word: Decoded): TouchedPath {
  return { access: "walk", word, recursive: true };
}

/** A tree that something else may read and change. */
function shared(word: Decoded): readonly TouchedPath[] {
  return [shown(word), { access: "write", word, recursive: true }];
}

const LOCAL = new RegExp(`^[./~${HOME_MARK}${DIRECTORY_MARK}]`);

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  // `host:container[:options]`; a name without a slash is a volume.
  [
    "volume",
    (word, text) => {
      const host = text.split(":", 1)[0] ?? "";
      if (host === text || !LOCAL.test(host)) return [];
      const place = literal(word.raw, host);
      return /:(?:[a-zA-Z,]+,)?ro(?:,|$)/.test(text) ? [shown(place)] : shared(place);
    },
  ],
  // `type=bind,source=path,target=path`.
  [
    "mount",
    (word, text) => {
      const place = /(?:^|,)"?(?:source|src)=([^,"]*)/i.exec(text)?.[1];
      if (place === undefined || /(?:^|,)"?type=(?:volume|tmpfs|cache)/i.test(text)) return [];
      const folder = literal(word.raw, place);
      return /(?:^|,)(?:readonly|ro)(?:=(?:true|1))?(?:,|$)/i.test(text) ? [shown(folder)] : shared(folder);
    },
  ],
  // `id=x,src=path`, or a path alone.
  [
    "secret",
    (word, text) => {
      const place = /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] ?? (text.includes("=") ? "" : text);
      return place === "" ? [] : [read(word, place)];
    },
  ],
  // `key=path` or a path alone: a file or a directory.
  [
    "assigned",
    (word, text) => [{ access: "walk", word: literal(word.raw, afterEquals(text)), recursive: true }],
  ],
  // `key=@file`, `@file`.
  ["at", (word, text) => (/^(?:[^=]*=)?@/.test(text) ? [read(word, text.replace(/^(?:[^=]*=)?@/, ""))] : [])],
  // `type=local,dest=path`, or a path alone.
  [
    "dest",
    (word, text) => {
      const place = text.includes("=") ? /(?:^|,)dest=([^,]*)/.exec(text)?.[1] : text;
      if (place === undefined || place === "-") return [];
      return [{ access: "write", word: literal(word.raw, place), recursive: true }];
    },
  ],
  // `type=local,src=path` of a cache that is read.
  [
    "source",
    (word, text) => {
      const place = /(?:^|,)src=([^,]*)/.exec(text)?.[1];
      return place === undefined ? [] : [{ access: "walk", word: literal(word.raw, place), recursive: true }];
    },
  ],
  // `file:path` of a password.
  ["pass", (word, text) => (text.startsWith("file:") ? [read(word, text.slice(5))] : [])],
  // `Name=value` or `Name value` of the settings of `ssh`.
  [
    "ssh",
    (word, text) => {
      const [, name = "", value = ""] = /^\s*(\w+)[\s=]+"?([^"]*)"?$/s.exec(text) ?? [];
      if (
        /^(?:IdentityFile|CertificateFile|Include|GlobalKnownHostsFile|RevokedHostKeys|IdentityAgent|PKCS11Provider)$/i.test(
          name,
        )
      )
        return [read(word, value)];
      if (/^(?:UserKnownHostsFile|ControlPath)$/i.test(name))
        return [{ access: "write", word: literal(word.raw, value) }];
      return [];
    },
  ],
  // `file://path`, `fileb://path`, with or without `key=` before it.
  ["url", fileUrl],
]);

function afterEquals(text: string): string {
  return text.slice(text.indexOf("=") + 1);
}

function fileUrl(word: Decoded, text: string): readonly TouchedPath[] {
  const path = /(?:^|=)fileb?:\/\/(.+)$/s.exec(text)?.[1];
  return path === undefined ? [] : [read(word, path)];
}

/** Files in the value of an option, or in an operand, by its shape. */
export function shapedPaths(shape: string, word: Decoded): readonly TouchedPath[] {
  const text = known(word);
  const find = SHAPES.get(shape);
  if (find === undefined) return [];
  if (text !== undefined) return find(word, text);
  // Its start may tell that it is no path.
  const start = startOf(word);
  if (shape === "url" && start !== "" && !/^f(?:i(?:l(?:e.*)?)?)?$/is.test(start)) return [];
  if (shape === "at" && /^[^@]*=[^@]/.test(start)) return [];
  const anywhere = unknown(word.raw, word.single);
  if (shape === "volume" || shape === "mount") return shared(anywhere);
  return [{ access: shape === "dest" ? "write" : "read", word: anywhere }];
}

/** The command that an option of `ssh` runs on this machine. */
export function sshCommand(text: string): string | undefined {
  const [, name = "", value] = /^\s*(\w+)[\s=]+(.*)$/s.exec(text) ?? [];
  if (!/^(?:ProxyCommand|LocalCommand|KnownHostsCommand)$/i.test(name) || /^none$/i.test(value ?? ""))
    return undefined;
  return value;
}
