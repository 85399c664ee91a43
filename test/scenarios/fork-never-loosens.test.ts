import { createHost, type Host, type Options } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scratch } from "../kit/session.ts";
import {
  optionsOf,
  type Probe,
  probes,
  type Seen,
  type Start,
  type Step,
  starts,
  steps,
  subject,
  surroundings,
  tightening,
  VERDICTS,
  type Verdicts,
} from "../kit/states.ts";
import { runs } from "../setup/runs.ts";

/** Some 80 ms each: more would take a quarter of the long lane. */
const MOST = 2_000;
const PATIENCE_MS = 600_000;

interface Case {
  readonly start: Start;
  readonly steps: readonly Step[];
  readonly calls: readonly Probe[];
  /** Behind which step the fork is cut; where there are no more, it is whole. */
  readonly cut: number;
  /** Made by `forkSession()` and then resumed. */
  readonly byFunction: boolean;
  readonly keepGrants: boolean;
  readonly more: { readonly disallowedTools: readonly string[]; readonly ask: readonly string[] };
}

const cases: fc.Arbitrary<Case> = fc.record({
  ...{ start: starts, steps, calls: probes, cut: fc.nat(5), byFunction: fc.boolean() },
  ...{ keepGrants: fc.boolean(), more: tightening },
});

/**
 * No mode is as strict as plan and dontAsk together. A fork of both is in plan: it runs nothing that either would not
 * run, and a person is asked what dontAsk refuses without a question.
 */
function inPlanAndDontAsk(...states: readonly Verdicts[]): boolean {
  return ["plan", "dontAsk"].every((mode) => states.some((state) => state.mode === mode));
}

const rank = ({ verdict }: Seen): number => VERDICTS.indexOf(verdict);

describe("a fork", () => {
  it(
    "is no looser about any call than its original, at the cut and at its end",
    async () => {
      const met = new Set<string>();
      await fc.assert(
        fc.asyncProperty(cases, async (each) => {
          const host = createHost({ store: memoryStore() });
          const cwd = scratch();
          const around = surroundings(cwd);
          const original = subject(host, { ...around, ...optionsOf(each.start, cwd) });
          let at = await original.verdicts(each.calls);
          const trail = [at];
          for (const step of each.steps) {
            await original.take(step);
            at = await original.verdicts(each.calls);
            trail.push(at);
          }
          const cut = trail[each.cut] ?? at;
          const fork = subject(host, { ...around, ...(await forked(host, each, cut, at)) });
          const copy = await fork.verdicts(each.calls);
          for (const [i, own] of copy.of.entries()) {
            for (const theirs of [cut, at].map(({ of }) => of[i] as Seen)) {
              // The rule may be gone since, also from what the fork keeps: then it has the tool again, as a resume would.
              if (theirs.is === "missing" && each.keepGrants) continue;
              met.add(`${theirs.verdict}, ${own.verdict}`);
              const isPlain = !(inPlanAndDontAsk(cut, at) && theirs.is === "unasked");
              const least = isPlain ? rank(theirs) : Math.min(rank(theirs), VERDICTS.indexOf("ask"));
              const what = JSON.stringify({ call: each.calls[i], theirs, own });
              if (rank(own) < least) throw new Error(`Looser: ${what}`);
            }
          }
          await host.close();
        }),
        { numRuns: Math.min(runs, MOST) },
      );
      // The cases are worth something: each of the ways to be no looser has come up.
      const all = VERDICTS.flatMap((theirs, at) => VERDICTS.slice(at).map((own) => `${theirs}, ${own}`));
      expect([...met].sort()).toEqual(expect.arrayContaining(all));
    },
    PATIENCE_MS,
  );
});

async function forked(
  host: Host,
  { start, more, byFunction, keepGrants }: Case,
  cut: Verdicts,
  end: Verdicts,
): Promise<Options> {
  // In plan mode the flag lets through unasked what other modes ask about: a mix of both has no use for it.
  const danger: Options =
    start.danger && cut.mode === end.mode ? { allowDangerouslySkipPermissions: true } : {};
  const upTo = cut.lastMessage;
  if (byFunction) {
    const { sessionId } = await host.sessions.fork(end.sessionId, { upTo, keepGrants });
    // Lists that the options of a resume name replace the recorded ones: it has none here.
    return { ...danger, resume: sessionId };
  }
  return {
    ...danger,
    ...(more.disallowedTools.length === 0 ? {} : { disallowedTools: more.disallowedTools }),
    ...(more.ask.length === 0 ? {} : { settings: { permissions: { ask: more.ask } } }),
    ...{ resume: end.sessionId, forkSession: true, resumeSessionAt: upTo },
  };
}
