import { constants } from "node:fs";

/**
 * Numbers for the flags of `FileSystem.open`. A flag that this system does not have is 0.
 *
 * @example
 * await fs.open(path, OPEN_FLAGS.read | OPEN_FLAGS.noFollow);
 */
export const OPEN_FLAGS: {
  readonly read: number;
  readonly write: number;
  readonly readWrite: number;
  readonly create: number;
  /** With `create`: fails when anything stands there, a link included. */
  readonly exclusive: number;
  readonly truncate: number;
  readonly append: number;
  /** Fails when the last component is a link. */
  readonly noFollow: number;
  /** Does not wait for the other end of a pipe. */
  readonly nonBlock: number;
} = {
  read: constants.O_RDONLY,
  write: constants.O_WRONLY,
  readWrite: constants.O_RDWR,
  create: constants.O_CREAT,
  exclusive: constants.O_EXCL,
  truncate: constants.O_TRUNC,
  append: constants.O_APPEND,
  noFollow: constants.O_NOFOLLOW ?? 0,
  nonBlock: constants.O_NONBLOCK ?? 0,
};
