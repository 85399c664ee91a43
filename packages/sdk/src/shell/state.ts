import { MAX_DIRECTORIES, MAX_VALUE, MAX_VARIABLES, MAX_VARIANTS } from "./limits.ts";

/** What a variable may hold. `open`: something else as well. */
export interface Variable {
  readonly values: readonly string[];
  readonly open: boolean;
}

/** What a command reads on its standard input. */
export type Input =
  | { readonly kind: "none" }
  | { readonly kind: "unknown" }
  | { readonly kind: "literal"; readonly text: string };

/** What is known at one point of the line. Never mutated. */
export interface State {
  /** Possible directories, relative to where the line starts. Absent: unknown. */
  readonly from: readonly string[] | undefined;
  readonly variables: ReadonlyMap<string, Variable>;
  readonly input: Input;
  /** The command that carries what is walked now. */
  readonly carrier: number | undefined;
  /** The text that positions of the tree refer to. */
  readonly source: string;
  readonly innerLines: number;
}

/** The state after a command that succeeded, and after one that failed. */
export interface Outcome {
  readonly ok: State;
  readonly fail: State;
}

export const NO_INPUT: Input = { kind: "none" };
export const UNKNOWN_INPUT: Input = { kind: "unknown" };

const NO_VARIABLES: ReadonlyMap<string, Variable> = new Map();

export function startState(source: string): State {
  return {
    from: [""],
    variables: NO_VARIABLES,
    input: NO_INPUT,
    carrier: undefined,
    source,
    innerLines: 0,
  };
}

// Spelled out field by field: a copy by `...` costs several times as much, and every command makes some.

export function withInput(state: State, input: Input): State {
  const { from, variables, carrier, source, innerLines } = state;
  return { from, variables, input, carrier, source, innerLines };
}

export function withDirectories(state: State, from: State["from"]): State {
  const { variables, input, carrier, source, innerLines } = state;
  return { from, variables, input, carrier, source, innerLines };
}

export function same(state: State): Outcome {
  return { ok: state, fail: state };
}

export function joinStates(a: State, b: State): State {
  if (a === b) return a;
  const from = joinDirectories(a.from, b.from);
  const variables = joinVariables(a.variables, b.variables);
  const input = a.input === b.input ? a.input : UNKNOWN_INPUT;
  if (from === a.from && variables === a.variables && input === a.input) return a;
  return { from, variables, input, carrier: a.carrier, source: a.source, innerLines: a.innerLines };
}

/** Anything may have changed: `eval`, `source`, a function. Known values stay as candidates. */
export function clobber(state: State): State {
  return { ...state, from: undefined, variables: opened(state.variables) };
}

export function opened(variables: ReadonlyMap<string, Variable>): ReadonlyMap<string, Variable> {
  if (variables.size === 0) return variables;
  const next = new Map<string, Variable>();
  for (const [name, variable] of variables) next.set(name, { values: variable.values, open: true });
  return next;
}

export function assign(state: State, name: string, variable: Variable): State {
  const next = new Map(state.variables);
  if (!next.has(name) && next.size >= MAX_VARIABLES) return state;
  const values = [...new Set(variable.values)]
    .filter((value) => value.length <= MAX_VALUE)
    .slice(0, MAX_VARIANTS);
  next.set(name, { values, open: variable.open || values.length < variable.values.length });
  return { ...state, variables: next };
}

function joinDirectories(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === b) return a;
  if (a === undefined || b === undefined) return undefined;
  // Most lines move to one place, or to none.
  if (a.length === 1 && b.length === 1 && a[0] === b[0]) return a;
  const union = [...new Set([...a, ...b])];
  return union.length > MAX_DIRECTORIES ? undefined : union;
}

function joinVariables(
  a: ReadonlyMap<string, Variable>,
  b: ReadonlyMap<string, Variable>,
): ReadonlyMap<string, Variable> {
  if (a === b) return a;
  const next = new Map<string, Variable>();
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const left = a.get(name);
    const right = b.get(name);
    const values = [...new Set([...(left?.values ?? []), ...(right?.values ?? [])])];
    const open = left === undefined || right === undefined || left.open || right.open;
    next.set(name, { values: values.slice(0, MAX_VARIANTS), open: open || values.length > MAX_VARIANTS });
  }
  return next;
}
