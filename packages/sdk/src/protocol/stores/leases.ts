/** The right of one worker to write sessions, until it runs out. */
export interface Lease {
  readonly worker: string;
  /** Higher than that of every lease of the store before it, whoever held those. */
  readonly epoch: number;
  /** Epoch milliseconds. From then on the lease is lost, also for the worker that held it. */
  readonly expiresAt: number;
}

/**
 * The port of worker leases. Time is the store's clock; a clock that jumps can end a lease early or late, but an epoch
 * never comes twice, so a worker that lost its lease can never write over its follower.
 */
export interface LeaseStore {
  /** A new lease; undefined while the one that this worker name holds has not run out. @param ttlMs milliseconds, more than 0 */
  acquire(worker: string, ttlMs: number): Promise<Lease | undefined>;
  /** The same lease for `ttlMs` from now; undefined when it is lost. */
  renew(lease: Lease, ttlMs: number): Promise<Lease | undefined>;
  /** Ends the lease. One that is lost already is left alone. */
  release(lease: Lease): Promise<void>;
}
