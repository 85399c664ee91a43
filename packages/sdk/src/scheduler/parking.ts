import type { GateScope } from "../gate/index.ts";
import type { Round } from "./round.ts";

type GateSpot = NonNullable<GateScope["spot"]>;
type How = Parameters<GateSpot["parked"]>[0];

/** One call of a round on its way. The gate tells it when the call begins to wait for somebody. */
export interface Spot extends GateSpot {
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

type RoundSide = Pick<Round, "pause" | "staysOpen">;

/** @param round paused when all calls that are left wait, and the turn need not wait with them. */
export function createParking(round: RoundSide): Parking {
  return new RoundParking(round);
}

class RoundParking implements Parking {
  readonly #round: RoundSide;
  #spots: readonly CallSpot[] = NONE;
  #isClosed = false;

  constructor(round: RoundSide) {
    this.#round = round;
  }

  enter(): Spot {
    const spot = new CallSpot(this);
    this.#spots = this.#spots.concat(spot);
    return spot;
  }

  close(): void {
    this.#isClosed = true;
    this.check();
  }

  isLeft(): boolean {
    return this.#round.staysOpen();
  }

  leave(spot: CallSpot): void {
    this.#spots = this.#spots.filter((other) => other !== spot);
    this.check();
  }

  check(): void {
    if (!this.#isClosed || this.#spots.length === 0) return;
    let pauses = false;
    for (const { how } of this.#spots) {
      if (how === undefined) return;
      pauses ||= how === "pauses";
    }
    if (pauses) this.#round.pause();
  }
}

class CallSpot implements Spot {
  readonly #parking: RoundParking;
  #onFirst: ((nothing: undefined) => void) | undefined;
  how: How | undefined;

  constructor(parking: RoundParking) {
    this.#parking = parking;
  }

  parked(how: How): () => void {
    this.how = how;
    this.#onFirst?.(undefined);
    this.#parking.check();
    return () => {
      this.how = undefined;
    };
  }

  isLeft(): boolean {
    return this.#parking.isLeft();
  }

  unlessParked<T>(judging: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#onFirst = resolve;
      judging.then(resolve, reject);
    });
  }

  leave(): void {
    this.how = undefined;
    this.#parking.leave(this);
  }
}

const NONE: readonly CallSpot[] = [];
