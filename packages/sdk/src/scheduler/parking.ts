import type { GateScope } from "../gate/index.ts";

type Parked = NonNullable<GateScope["parked"]>;
type How = Parameters<Parked>[0];

/** One call of a round on its way. */
export interface Spot {
  /** For the gate: the call begins to wait for somebody. */
  readonly parked: Parked;
  /** It waits, and is left open when the session ends. */
  isParked(): boolean;
  /** What `judging` gives, or undefined as soon as the call waits for somebody. */
  unlessParked<T>(judging: Promise<T>): Promise<T | undefined>;
  /** The call is over. */
  leave(): void;
}

/** Who of a round waits for somebody, so that it is seen when nobody does anything else. */
export interface Parking {
  enter(): Spot;
  /** No further call comes. */
  close(): void;
}

/** @param onStill called when all calls that are left wait, and the turn need not wait with them. */
export function createParking(onStill: () => void): Parking {
  return new RoundParking(onStill);
}

class RoundParking implements Parking {
  readonly #onStill: () => void;
  readonly #spots = new Set<CallSpot>();
  #isClosed = false;

  constructor(onStill: () => void) {
    this.#onStill = onStill;
  }

  enter(): Spot {
    const spot = new CallSpot(this);
    this.#spots.add(spot);
    return spot;
  }

  close(): void {
    this.#isClosed = true;
    this.check();
  }

  leave(spot: CallSpot): void {
    this.#spots.delete(spot);
    this.check();
  }

  check(): void {
    if (!this.#isClosed || this.#spots.size === 0) return;
    let pauses = false;
    for (const { how } of this.#spots) {
      if (how === undefined) return;
      pauses ||= how === "pauses";
    }
    if (pauses) this.#onStill();
  }
}

class CallSpot implements Spot {
  readonly #parking: RoundParking;
  #onFirst: (() => void) | undefined;
  how: How | undefined;

  constructor(parking: RoundParking) {
    this.#parking = parking;
  }

  readonly parked: Parked = (how) => {
    this.how = how;
    this.#onFirst?.();
    this.#parking.check();
    return () => {
      this.how = undefined;
    };
  };

  isParked(): boolean {
    return this.how !== undefined;
  }

  unlessParked<T>(judging: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#onFirst = () => resolve(undefined);
      judging.then(resolve, reject);
    });
  }

  leave(): void {
    this.how = undefined;
    this.#parking.leave(this);
  }
}
