/** One row of test/corpus/promises.json. */
export interface PromiseRow {
  readonly id: string;
  readonly promise: string;
}

/** One test that ran, and whether it was green. */
export interface NamedOutcome {
  readonly name: string;
  readonly passed: boolean;
}

const ID = /^[QCN]\d\d(?= )/;

/**
 * A row is kept when at least one test bears its id in front and every such test passed.
 * A name with the id in lower case speaks of a part of the row and keeps nothing.
 */
export function openRows(
  rows: readonly PromiseRow[],
  tests: readonly NamedOutcome[],
): { open: string[]; unknown: string[] } {
  const state = new Map<string, boolean>();
  for (const { name, passed } of tests) {
    const id = ID.exec(name)?.[0];
    if (id !== undefined) state.set(id, (state.get(id) ?? true) && passed);
  }
  const known = new Set(rows.map((row) => row.id));
  return {
    open: rows.filter((row) => state.get(row.id) !== true).map((row) => row.id),
    unknown: tests.map((test) => test.name).filter((name) => isStranger(name, known)),
  };
}

function isStranger(name: string, known: ReadonlySet<string>): boolean {
  const id = ID.exec(name)?.[0];
  return id !== undefined && !known.has(id);
}
