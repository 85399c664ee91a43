/** The dry runs behind `./permissions`. Their code is loaded here, when one is first asked for. */
export async function dryRuns(): Promise<DryRuns> {
  return import("./dry/index.ts");
}

type DryRuns = typeof import("./dry/index.ts");
