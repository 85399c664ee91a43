/** Cases that each property test tries: `CASTELLAN_RUNS`, or 200. */
export const runs: number = Number(process.env.CASTELLAN_RUNS ?? 200);
