/** Lint and revoke behind `./permissions`. Their code is loaded here, when one is first asked for. */
export async function lintRuns(): Promise<LintRuns> {
  return import("./lint/index.ts");
}

type LintRuns = typeof import("./lint/index.ts");
