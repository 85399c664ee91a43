/** A signal for user code that seldom looks at it. */
interface LazySignal {
  /** Made when it is first asked for; it has fired already where `abort` came before. */
  signal(): AbortSignal;
  /** Fires it. The last reason counts for a signal that is not made yet. */
  abort(reason: Error): void;
}

/** Most calls never look at their signal, so its controller is made when one does. */
export function lazySignal(): LazySignal {
  let controller: AbortController | undefined;
  let stopped: Error | undefined;
  return {
    signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (stopped !== undefined) controller.abort(stopped);
      }
      return controller.signal;
    },
    abort(reason) {
      stopped = reason;
      controller?.abort(reason);
    },
  };
}
