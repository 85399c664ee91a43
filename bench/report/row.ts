import { type Bar, judge, type Verdict } from "./bars.ts";

/** One line of the table. */
export interface Row {
  readonly scenario: string;
  readonly unit: string;
  readonly ours: number;
  readonly http?: number;
  readonly fetch?: number;
  /** Ours to node:http: the median of the ratios within each round. */
  readonly ratio?: number;
  readonly fetchRatio?: number;
  readonly bar?: Bar;
  readonly verdict: Verdict;
  /** What the figure is the worst of. */
  readonly parts?: Readonly<Record<string, number>>;
}

/** A row whose bar is on the value itself. */
export function absoluteRow(
  scenario: string,
  unit: string,
  ours: number,
  bar?: Bar,
  floors: Pick<Row, "http" | "fetch"> = {},
): Row {
  return { scenario, unit, ours, ...floors, ...(bar && { bar }), verdict: judge(ours, bar) };
}

/** A row without a bar: ours over the wire of the AI SDK. */
export function aiSdkRow(scenario: string, unit: string, values: Parameters<typeof ratioRow>[2]): Row {
  return ratioRow(`AI SDK path: ${scenario}`, unit, values);
}

/** A row whose bar is on the ratio to the node:http floor. */
export function ratioRow(
  scenario: string,
  unit: string,
  values: Pick<Row, "ours" | "http" | "fetch"> & { readonly ratio: number; readonly fetchRatio: number },
  bar?: Bar,
): Row {
  return { scenario, unit, ...values, ...(bar && { bar }), verdict: judge(values.ratio, bar) };
}
