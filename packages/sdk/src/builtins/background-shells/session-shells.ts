import type { BackgroundShells } from "../../protocol/index.ts";

/** The background commands of a session, with what only its host does. */
export interface SessionShells extends BackgroundShells {
  /** What has ended and has not been told to the model yet; each is given once. */
  takeNews(): readonly string[];
  /** One has ended by itself, and the model has not been told. */
  hasNews(): boolean;
  /**
   * Deals with commands of a process that is gone: each that the log holds without an end gets one. Those of a fork's
   * original are not touched.
   */
  adopt(isFork: boolean): Promise<void>;
  /** Ends all that run, and resolves once that is recorded. Never rejects. */
  close(): Promise<void>;
}
