import { CastellanError, type SessionEvent } from "../../protocol/index.ts";

/** What the first line of every export says that it is. */
export const EXPORT_FORMAT = "session-export";

/** The version of the lines, not of the events in them. */
export const EXPORT_VERSION = 1;

/** The first line. */
export interface ExportHeader {
  readonly castellan: typeof EXPORT_FORMAT;
  readonly v: number;
  readonly sessionId: string;
  /** The start directory on the machine of the export. */
  readonly project: string;
  /** The release that wrote the export. */
  readonly release: string;
  /** Epoch milliseconds. */
  readonly exportedAt: number;
}

/** The last line: an export without it was cut off. */
export interface ExportEnd {
  readonly events: number;
  readonly artifacts: number;
}

/** Any line behind the header. */
export type ExportLine =
  | { readonly event: SessionEvent }
  | { readonly artifact: { readonly hash: string; readonly base64: string } }
  | { readonly end: ExportEnd };

/** @returns what to throw for an export that is not taken in. @param line counted from 1; 0 for the whole. */
export function refused(line: number, why: string, cause?: unknown): CastellanError {
  const place = line === 0 ? "The export" : `Line ${line} of the export`;
  return new CastellanError("import_refused", `${place} ${why}`, {
    subject: "source",
    fix: "Nothing was imported. Export the session again.",
    ...(cause === undefined ? {} : { cause }),
  });
}
