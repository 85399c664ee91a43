/**
 * What every logged event has around its data. `v` is the version of this type's data;
 * written events never change, readers bring old versions up to date.
 */
export interface Envelope<T extends string, D> {
  readonly v: number;
  /** 1, 2, 3 … in the session, without gaps. */
  readonly seq: number;
  readonly id: string;
  /** Epoch milliseconds. */
  readonly ts: number;
  readonly type: T;
  /** It can change what is allowed, spent or run: a reader that does not know it must refuse to resume. */
  readonly critical?: true;
  /** The `id` of the event that led to this one. */
  readonly cause?: string;
  readonly data: D;
}
