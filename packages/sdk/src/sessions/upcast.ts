import type { Envelope, SessionEvent, SessionEventType } from "../protocol/index.ts";
import { CastellanError, EVENT_TYPES } from "../protocol/index.ts";

/** Brings the data of one version to the next. Pure. */
export type Upcaster = (data: unknown) => unknown;

/** For each type, the steps `v -> v + 1`. */
export type Upcasters = { readonly [type: string]: { readonly [v: number]: Upcaster } };

/** The versions that a release knows. */
export type KnownTypes = { readonly [type: string]: { readonly v: number } };

/** Every step of this release. Version 1 of all types is the newest so far. */
const UPCASTERS: Upcasters = {};

/**
 * An event of any release, as this one reads it. Events of a type that we do not know, and may skip, give undefined.
 *
 * @param release the one that wrote the log, for the error.
 * @throws `log_too_new` for an unknown critical type and for a newer version of a known type;
 * `log_corrupt` for a version that no release wrote.
 */
export function upcast(
  event: Envelope<string, unknown>,
  release?: string,
  types: KnownTypes = EVENT_TYPES,
  upcasters: Upcasters = UPCASTERS,
): SessionEvent | undefined {
  const known = Object.hasOwn(types, event.type) ? types[event.type] : undefined;
  if (known === undefined) {
    if (event.critical === true) throw tooNew(event, release, "does not know");
    return undefined;
  }
  if (event.v === known.v) return event as SessionEvent;
  if (event.v > known.v) throw tooNew(event, release, `knows up to version ${known.v}`);
  const steps = Object.hasOwn(upcasters, event.type) ? upcasters[event.type] : undefined;
  let { v, data } = event;
  while (v < known.v) {
    const step = steps !== undefined && Object.hasOwn(steps, v) ? steps[v] : undefined;
    if (step === undefined) {
      throw new CastellanError(
        "log_corrupt",
        `Event ${event.seq} (${event.type}) has the version ${v}, which no release wrote.`,
        {
          subject: event.type,
        },
      );
    }
    data = step(data);
    v += 1;
  }
  return { ...event, v, data } as Envelope<SessionEventType, unknown> as SessionEvent;
}

function tooNew(event: Envelope<string, unknown>, release: string | undefined, what: string): CastellanError {
  return new CastellanError(
    "log_too_new",
    `The log holds "${event.type}" version ${event.v} (event ${event.seq}), written by release ` +
      `${release ?? "unknown"}, which this release ${what}.`,
    {
      subject: event.type,
      fix: `Open the session with release ${release ?? "that wrote it"} or a newer one.`,
    },
  );
}
