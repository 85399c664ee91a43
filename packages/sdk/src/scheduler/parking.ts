import type { GateScope } from "../gate/index.ts";

type Parked = NonNullable<GateScope["parked"]>;

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
  const spots = new Map<Spot, "waits" | "pauses" | undefined>();
  let isClosed = false;

  function check(): void {
    if (!isClosed || spots.size === 0) return;
    const all = [...spots.values()];
    if (all.every((how) => how !== undefined) && all.includes("pauses")) onStill();
  }

  return {
    enter() {
      let onFirst: (() => void) | undefined;
      const spot: Spot = {
        parked(how) {
          spots.set(spot, how);
          onFirst?.();
          check();
          return () => {
            if (spots.has(spot)) spots.set(spot, undefined);
          };
        },
        isParked: () => spots.get(spot) !== undefined,
        unlessParked: (judging) =>
          new Promise((resolve, reject) => {
            onFirst = () => resolve(undefined);
            judging.then(resolve, reject);
          }),
        leave() {
          spots.delete(spot);
          check();
        },
      };
      spots.set(spot, undefined);
      return spot;
    },
    close() {
      isClosed = true;
      check();
    },
  };
}
