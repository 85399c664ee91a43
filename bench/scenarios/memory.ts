import { BARS } from "../report/bars.ts";
import { median } from "../report/median.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { ENGINES, type EngineName, type Lab } from "./lab.ts";
import { inRounds } from "./rounds.ts";
import type { Sizes } from "./sizes.ts";

/** Resident memory that one more session costs while all of them wait for the model. */
export async function memoryRows(lab: Lab, sizes: Sizes): Promise<Row[]> {
  const [one, few, many] = sizes.memory;
  const at = async (sessions: number): Promise<Readonly<Record<EngineName, number>>> => {
    const rounds = await inRounds(lab, sizes.rounds, { kind: "memory", sessions });
    const medians = ENGINES.map((engine) => [engine, median(rounds.map((r) => r[engine].rss ?? 0))]);
    return Object.fromEntries(medians) as Record<EngineName, number>;
  };
  const base = await at(one);
  const row = async (sessions: number): Promise<Row> => {
    const rss = await at(sessions);
    const extra = (engine: EngineName): number => (rss[engine] - base[engine]) / (sessions - one);
    const floors = { http: extra("http"), fetch: extra("fetch") };
    return absoluteRow(`RSS an extra session, ${sessions}`, "MB", extra("castellan"), BARS.memoryMb, floors);
  };
  return [await row(few), await row(many)];
}
