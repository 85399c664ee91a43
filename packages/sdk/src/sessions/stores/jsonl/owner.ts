import { join } from "node:path";
import type { Platform } from "../../../platform/index.ts";
import { CastellanError } from "../../../protocol/index.ts";
import { type ClaimingProcess, isAlive, processMark } from "../process-mark.ts";
import { codeOf, isMissing, storeFailed } from "../store-errors.ts";

/** Who writes a session: one process, and in it one store. */
interface OwnerRecord extends ClaimingProcess {
  readonly store: string;
  /** The lease that the session belongs to. */
  readonly lease?: number;
}

/** The right to write a session. */
export interface Owner {
  /** Whether nobody has taken it over. @throws `store_failed`. */
  holds(): boolean;
  /** Writes down the lease that the session belongs to. @throws `store_failed`. */
  lend(lease: number): Promise<void>;
  /** @throws `store_failed`. */
  release(): void;
}

/** Who claims, and how. */
export interface Claimant {
  /** A name of the claiming store, unique on this machine. */
  readonly store: string;
  /**
   * The folder was made for this claim, so the first look into it is saved. One who came between is met all the same: at
   * the link, or in the look behind it.
   */
  readonly isNew?: boolean;
  /** Under which the session is to be written. */
  readonly lease?: number | undefined;
  /** Whether a lease counts. One that does not gives its session free, although its process lives. Default: all do. */
  isLive?(lease: number): boolean;
}

type Machine = Pick<Platform, "fs" | "spawn" | "env" | "os" | "pid">;

const TRIES = 20;
const NAME = /^owner\.(\d+)\.json$/;

/**
 * Claims the session in `folder`, also from a process that is gone.
 *
 * The claim is a file `owner.<epoch>.json`; the highest epoch holds. A takeover makes the next higher one with
 * link(2), which has one winner, and takes nobody's file away before it has won.
 *
 * @throws `session_busy` while a living process holds it, `store_failed`.
 */
export async function claim(machine: Machine, folder: string, claimant: Claimant): Promise<Owner> {
  const { store, isNew = false, lease } = claimant;
  try {
    const start = ownMarks.get(machine) ?? (await ownMark(machine));
    const own = { pid: machine.pid, start, store };
    const record: OwnerRecord = lease === undefined ? own : { ...own, lease };
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const highest = isNew && attempt === 0 ? 0 : Math.max(0, ...epochs(machine, folder));
      const epoch = await tryClaim(machine, folder, record, highest, claimant);
      if (epoch !== undefined) return owner(machine, folder, epoch, record);
    }
  } catch (error) {
    throw storeFailed(folder, "Claiming the session in", error);
  }
  throw busy(folder, "others claim it at the same moment");
}

/** Whether a living process holds the session in `folder`. Looks, and claims nothing. @throws `store_failed`. */
export async function isHeld(
  machine: Machine,
  folder: string,
  { isLive = () => true }: Pick<Claimant, "isLive">,
): Promise<boolean> {
  try {
    const highest = Math.max(0, ...epochs(machine, folder));
    const other = highest === 0 ? undefined : await readRecord(machine, folder, highest);
    if (other === undefined || (other.lease !== undefined && !isLive(other.lease))) return false;
    return await isAlive(machine, other);
  } catch (error) {
    if (isMissing(error)) return false;
    throw storeFailed(folder, "Looking for the owner in", error);
  }
}

const ownMarks = new WeakMap<Machine, string>();

/** The mark of this process, which never changes, is read once. */
async function ownMark(machine: Machine): Promise<string> {
  const mark = (await processMark(machine, machine.pid)) ?? "";
  if (mark !== "") ownMarks.set(machine, mark);
  return mark;
}

async function tryClaim(
  machine: Machine,
  folder: string,
  record: OwnerRecord,
  highest: number,
  { isLive = () => true }: Claimant,
): Promise<number | undefined> {
  if (highest > 0) {
    const other = await readRecord(machine, folder, highest);
    const counts = other !== undefined && (other.lease === undefined || isLive(other.lease));
    if (other !== undefined && counts && (await isAlive(machine, other))) {
      throw busy(folder, `process ${other.pid} writes it`);
    }
  }
  const epoch = highest + 1;
  if (!(await publish(machine, folder, epoch, record))) return undefined;
  const now = epochs(machine, folder);
  if (now.some((other) => other > epoch)) {
    remove(machine, join(folder, fileName(epoch)));
    return undefined;
  }
  for (const old of now) if (old < epoch) remove(machine, join(folder, fileName(old)));
  return epoch;
}

/** The file appears with its content or not at all. False: somebody else was first. */
async function publish(
  machine: Machine,
  folder: string,
  epoch: number,
  record: OwnerRecord,
): Promise<boolean> {
  const { fs } = machine;
  const draft = join(folder, `owner.${record.store}.tmp`);
  try {
    await fs.writeFile(draft, JSON.stringify(record), { mode: 0o600 });
    fs.linkSync(draft, join(folder, fileName(epoch)));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    remove(machine, draft);
  }
}

function epochs({ fs }: Machine, folder: string): number[] {
  return fs.readdirSync(folder).flatMap((name) => {
    const epoch = NAME.exec(name)?.[1];
    return epoch === undefined ? [] : [Number(epoch)];
  });
}

/** Undefined for a file that is gone or holds no record, as a power cut may leave it. */
async function readRecord({ fs }: Machine, folder: string, epoch: number): Promise<OwnerRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await fs.readFile(join(folder, fileName(epoch)), "utf8"));
    const { pid, start, store, lease } = (value ?? {}) as Record<string, unknown>;
    if (typeof pid !== "number" || typeof start !== "string" || typeof store !== "string") return undefined;
    return { pid, start, store, ...(typeof lease === "number" ? { lease } : {}) };
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function owner(machine: Machine, folder: string, epoch: number, record: OwnerRecord): Owner {
  const { fs } = machine;
  const path = join(folder, fileName(epoch));
  return {
    holds() {
      try {
        return fs.statSync(path, { throwIfNoEntry: false }) !== undefined;
      } catch (error) {
        throw storeFailed(path, "Looking at", error);
      }
    },
    async lend(lease) {
      const draft = join(folder, `owner.${record.store}.tmp`);
      try {
        await fs.writeFile(draft, JSON.stringify({ ...record, lease }), { mode: 0o600 });
        await fs.rename(draft, path);
        // Somebody took it over just now: the file must not stand again.
        if (epochs(machine, folder).some((other) => other > epoch)) remove(machine, path);
      } catch (error) {
        throw storeFailed(path, "Writing", error);
      }
    },
    release: () => release(machine, folder, epoch),
  };
}

function release(machine: Machine, folder: string, epoch: number): void {
  const path = join(folder, fileName(epoch));
  try {
    remove(machine, path);
  } catch (error) {
    throw storeFailed(path, "Removing", error);
  }
}

function remove({ fs }: Machine, path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function fileName(epoch: number): string {
  return `owner.${epoch}.json`;
}

function busy(folder: string, why: string): CastellanError {
  return new CastellanError("session_busy", `The session in ${folder} is in use: ${why}.`, {
    subject: folder,
    fix: "End that run first, or fork the session.",
  });
}
