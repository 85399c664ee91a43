import type { RuleSource } from "../../protocol/index.ts";
import type { RuleObject, Settings, SettingsFinding } from "../types.ts";

export type Path = readonly (string | number)[];

/** A layer while it is read: what is known of it, and what its author should know. */
export interface Draft {
  readonly source: RuleSource;
  /** A file of another host: it has keys that are none of ours. */
  readonly foreign: boolean;
  readonly findings: SettingsFinding[];
  /** Where an entry of a list stands in the text, by where it stands in `Settings`. */
  readonly moved: Map<string, Path>;
  /** A part that may hold denies and cannot be read. */
  broken: string | undefined;
  /** Adds a finding about a place. */
  tell(
    path: Path,
    finding: Pick<SettingsFinding, "code" | "severity" | "message"> & { readonly fix?: string | undefined },
  ): void;
}

/** Fields as they are filled in. */
export type Filling<T> = { -readonly [K in keyof T]: T[K] };

export type PermissionsDraft = Filling<NonNullable<Settings["permissions"]>> & {
  allow?: string[];
  deny?: string[];
  ask?: string[];
  rules?: RuleObject[];
};

/** `permissions.deny[2]` */
export function keyText(path: Path): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");
}

/** A value as a message shows it: what kind it is, never what it says, for it may be a secret. */
export function kindText(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "object":
      return "an object";
    case "string":
      return "a string";
    case "number":
      return "a number";
    default:
      return String(value);
  }
}

/** The finding for a value of the wrong type, which counts for nothing. */
export function wrongType(
  name: string,
  value: unknown,
  expected: string,
): { code: string; severity: "error"; message: string; fix: string } {
  return {
    code: "wrong-type",
    severity: "error",
    message: `${name} is ${kindText(value)}, and counts for nothing.`,
    fix: `It must be ${expected}.`,
  };
}
