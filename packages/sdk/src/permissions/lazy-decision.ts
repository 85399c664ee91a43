import type { Decision, PermissionUpdate, TraceStep } from "../protocol/index.ts";

/** How the parts of a decision are made that few read. `F` is what they are made from. */
export interface Makers<F> {
  message(from: F): string;
  trace(from: F): readonly TraceStep[];
  suggestions(from: F): readonly PermissionUpdate[];
}

/**
 * Makes decisions whose `message`, `trace` and `suggestions` are made when they are first read. They are own
 * properties, so that a copy or a log of the decision holds them.
 */
export function lazyDecisions<F>(
  makers: Makers<F>,
): (told: Pick<Decision, "behavior" | "reason" | "hard">, from: F) => Decision {
  // A class, for its private field: with getters of its own that close over what they need, each decision would get a
  // shape of its own as well, which holds that until the next full collection and takes four times as long to make.
  class Lazy {
    readonly #from: F;
    #message: string | undefined;
    #trace: readonly TraceStep[] | undefined;
    #suggestions: readonly PermissionUpdate[] | undefined;
    readonly behavior: Decision["behavior"];
    readonly reason: Decision["reason"];
    readonly hard: boolean;
    declare readonly message: string;
    declare readonly trace: readonly TraceStep[];
    declare readonly suggestions: readonly PermissionUpdate[];

    constructor({ behavior, reason, hard }: Pick<Decision, "behavior" | "reason" | "hard">, from: F) {
      this.#from = from;
      this.behavior = behavior;
      this.reason = reason;
      this.hard = hard;
      Object.defineProperty(this, "message", MESSAGE);
      Object.defineProperty(this, "trace", TRACE);
      Object.defineProperty(this, "suggestions", SUGGESTIONS);
    }

    static message(own: Lazy): string {
      own.#message ??= makers.message(own.#from);
      return own.#message;
    }

    static trace(own: Lazy): readonly TraceStep[] {
      own.#trace ??= makers.trace(own.#from);
      return own.#trace;
    }

    static suggestions(own: Lazy): readonly PermissionUpdate[] {
      own.#suggestions ??= makers.suggestions(own.#from);
      return own.#suggestions;
    }
  }

  const MESSAGE = ownGetter(Lazy.message);
  const TRACE = ownGetter(Lazy.trace);
  const SUGGESTIONS = ownGetter(Lazy.suggestions);
  return (told, from) => new Lazy(told, from);
}

function ownGetter<O, V>(read: (own: O) => V): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: O) {
      return read(this);
    },
  };
}
