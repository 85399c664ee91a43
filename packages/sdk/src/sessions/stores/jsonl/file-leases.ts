import { join } from "node:path";
import type { Platform } from "../../../platform/index.ts";
import type { Lease, LeaseStore } from "../../../protocol/index.ts";
import { CastellanError, isCastellanError } from "../../../protocol/index.ts";
import { checkTtl } from "../check-ports.ts";
import { isMissing, storeFailed } from "../store-errors.ts";
import { recordFiles } from "./record-files.ts";

const NAME = /^(\d+)\.json$/;
const TRIES = 100;
/** More than a record takes, whose worker has a sane name. */
const RECORD_BYTES = 16_384;

/** Leases as files, which also tell the event store beside them whether one still counts. */
export interface FileLeases extends LeaseStore {
  isLive(epoch: number): boolean;
}

/**
 * `leases/<epoch>.json`, made with link(2): an epoch has one holder. The highest file stays when its lease is over, so
 * that no epoch comes twice; lower ones go with the next lease.
 */
export function fileLeases(platform: Pick<Platform, "fs" | "ids" | "clock">, home: string): FileLeases {
  const { fs, clock } = platform;
  const folder = join(home, "leases");
  const files = recordFiles(platform, folder);

  async function all(): Promise<Lease[]> {
    const found: Lease[] = [];
    for (const name of await files.names()) {
      const epoch = NAME.exec(name)?.[1];
      if (epoch !== undefined) found.push(await read(Number(epoch)));
    }
    return found;
  }

  /** A file that is gone or damaged is a lease that is over. */
  async function read(epoch: number): Promise<Lease> {
    const record = await files.read(fileName(epoch)).catch((error: unknown) => {
      if (isCastellanError(error) && error.cause instanceof SyntaxError) return undefined;
      throw error;
    });
    return lease(record, epoch);
  }

  async function keep(worker: string, epoch: number, ttlMs: number): Promise<Lease> {
    const expiresAt = clock.now() + ttlMs;
    await files.write(fileName(epoch), { worker, expiresAt });
    return { worker, epoch, expiresAt };
  }

  async function tryAcquire(worker: string, ttlMs: number): Promise<Lease | "held" | "again"> {
    const known = await all();
    const now = clock.now();
    if (known.some((each) => each.worker === worker && each.expiresAt > now)) return "held";
    const epoch = Math.max(0, ...known.map((each) => each.epoch)) + 1;
    const expiresAt = now + ttlMs;
    if (!(await files.make(fileName(epoch), { worker, expiresAt }))) return "again";
    for (const old of known) if (old.expiresAt <= now) await files.remove(fileName(old.epoch));
    return { worker, epoch, expiresAt };
  }

  return {
    isLive(epoch) {
      const path = join(folder, fileName(epoch));
      try {
        return lease(JSON.parse(readNow(fs, path)), epoch).expiresAt > clock.now();
      } catch (error) {
        if (isMissing(error) || error instanceof SyntaxError) return false;
        throw storeFailed(path, "Reading", error);
      }
    },
    async acquire(worker, ttlMs) {
      checkTtl(ttlMs);
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const got = await tryAcquire(worker, ttlMs);
        if (got === "held") return undefined;
        if (got !== "again") return got;
      }
      throw new CastellanError("store_failed", `Too many ask for a lease in ${folder} at once.`, {
        subject: folder,
        fix: "Try again.",
      });
    },
    async renew({ worker, epoch }, ttlMs) {
      checkTtl(ttlMs);
      const now = await read(epoch);
      if (now.worker !== worker || now.expiresAt <= clock.now()) return undefined;
      const renewed = await keep(worker, epoch, ttlMs);
      // Another of this name may have come just when the old time ran out: the higher epoch stands.
      const follower = (await all()).some((each) => each.worker === worker && each.epoch > epoch);
      if (!follower) return renewed;
      await files.remove(fileName(epoch));
      return undefined;
    },
    async release({ worker, epoch }) {
      const now = await read(epoch);
      if (now.worker === worker && now.expiresAt > 0)
        await files.write(fileName(epoch), { worker, expiresAt: 0 });
    },
  };
}

function lease(record: unknown, epoch: number): Lease {
  const { worker, expiresAt } = (record ?? {}) as Record<string, unknown>;
  if (typeof worker !== "string" || typeof expiresAt !== "number") return { worker: "", epoch, expiresAt: 0 };
  return { worker, epoch, expiresAt };
}

function readNow(fs: Platform["fs"], path: string): string {
  const descriptor = fs.openSync(path, "r");
  try {
    const bytes = Buffer.alloc(RECORD_BYTES);
    return bytes.toString("utf8", 0, fs.readSync(descriptor, bytes, 0, RECORD_BYTES, 0));
  } finally {
    fs.closeSync(descriptor);
  }
}

function fileName(epoch: number): string {
  return `${epoch}.json`;
}
