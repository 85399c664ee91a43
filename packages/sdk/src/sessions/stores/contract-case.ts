/** One promise of a port, for any test runner: `run` rejects when it is broken. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** A port of a store under test. */
export interface PortUnderTest<P> {
  readonly port: P;
  /** Closes what is open and gives the port over the same data again. Absent: the data ends with the store. */
  reopen?(): Promise<P>;
  /** Called at the end of a case. It closes what is open, and clears away. */
  dispose?(): Promise<void>;
}

/** The cases of a port: each runs on a port of its own, new and empty. */
export function portCases<P, S extends PortUnderTest<P>>(
  make: () => Promise<S>,
  bodies: Readonly<Record<string, (port: P, again: () => Promise<P>, subject: S) => Promise<void>>>,
): ContractCase[] {
  return Object.entries(bodies).map(([name, body]) => ({
    name,
    async run() {
      const subject = await make();
      try {
        await body(subject.port, async () => (await subject.reopen?.()) ?? subject.port, subject);
      } finally {
        await subject.dispose?.();
      }
    },
  }));
}
