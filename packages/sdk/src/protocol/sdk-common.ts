/** What every message has that the iterator gives. */
export interface SDKCommon {
  readonly uuid: string;
  readonly session_id: string;
}
