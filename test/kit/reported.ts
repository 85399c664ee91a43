import { describe, expect, it } from "vitest";
import { type Call, judge, type World } from "./judge.ts";

/** A fault that users have reported: how calls are to be decided. */
export interface Reported {
  /** Numbers in the collection, and what holds. */
  readonly what: string;
  readonly under?: World;
  readonly allow?: readonly Call[];
  readonly ask?: readonly Call[];
  readonly deny?: readonly Call[];
  /** What is allowed needs no rule: that it asks where it differs is what the other calls show. */
  readonly free?: true;
  /** What asks does so, or some of it, in spite of every allow rule. */
  readonly kept?: true;
}

/** Everything that a rule can allow. */
const WIDE = [
  "Bash",
  "Read",
  "Edit",
  "Write",
  "Read(//**)",
  "Edit(//**)",
  "WebFetch",
  "WebSearch",
  "mcp__crm",
  "mcp__shop",
];

/**
 * Tests that each call is decided as reported to be right, and that the rules are what decides: without the allow rules
 * not all is allowed, without the deny rules nothing denied, with everything allowed nothing asked. What is free is
 * allowed without them, and of what is kept something asks in spite of them.
 */
export function reported(faults: readonly Reported[]): void {
  describe.each(faults)("$what", ({ under = {}, free, kept, ...calls }) => {
    const rows = (["allow", "ask", "deny"] as const).flatMap((want) =>
      (calls[want] ?? []).map((call) => [want, call] as const),
    );

    it.each(rows)("%s: %j", async (want, call) => {
      const { behavior, message } = await judge(call, under);
      expect(behavior, message).toBe(want);
    });

    it("is the doing of the rules", async () => {
      const others = { ...under, mode: "default", trusted: true, additionalDirectories: [] } as const;
      const got = async (call: Call, world: World) => (await judge(call, world)).behavior;
      const lists = [under, under.user, under.local, under.policy].map((each) => each ?? {});
      const without = (key: "allow" | "deny") => {
        const none = key === "allow" ? { allow: [], additionalDirectories: [] } : { deny: [] };
        const files = ["user", "local", "policy"] as const;
        return Object.fromEntries(files.map((name) => [name, { ...under[name], ...none }]));
      };
      const bare = { ...others, ...without("allow"), allow: [] };
      const still = await Promise.all((calls.allow ?? []).map((call) => got(call, bare)));
      if (free !== true && still.length > 0) expect(still.every((each) => each === "allow")).toBe(false);
      for (const call of free ? (calls.allow ?? []) : [])
        expect(await got(call, { ...under, ...without("allow"), allow: [] }), `${call}`).toBe("allow");
      const wide = { ...others, allow: WIDE, ask: [], deny: [] };
      const asked = await Promise.all((calls.ask ?? []).map(async (call) => [call, await got(call, wide)]));
      if (kept) expect(asked.map(([, end]) => end)).toContain("ask");
      else for (const [call, end] of asked) expect(end, `${call}`).toBe("allow");
      const isDenied = lists.some(({ deny = [] }) => deny.length > 0);
      for (const call of isDenied ? (calls.deny ?? []) : [])
        expect(await got(call, { ...under, ...without("deny"), deny: [] }), `${call}`).not.toBe("deny");
    });
  });
}
