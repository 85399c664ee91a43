import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../../test/setup/runs.ts";
import { createJoinedHistory } from "./joined-history.ts";

const piece = fc.string({ maxLength: 9 }).map((text) => Buffer.from(text));

describe("createJoinedHistory", () => {
  it("gives the bytes of the pieces, whether they grew, shrank or changed since, and keeps what it gave before", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.record({ keep: fc.nat(12), add: fc.array(piece, { maxLength: 4 }) }), { maxLength: 8 }),
        (first, steps) => {
          const join = createJoinedHistory();
          const owner = {};
          let pieces = first;
          const given: [Uint8Array, string][] = [];
          for (const { keep, add } of [{ keep: 12, add: [] }, ...steps]) {
            pieces = [...pieces.slice(0, keep), ...add];
            given.push([join(owner, pieces), Buffer.concat(pieces).toString()]);
          }
          for (const [bytes, text] of given) expect(Buffer.from(bytes).toString()).toBe(text);
        },
      ),
      { numRuns: runs },
    );
  });

  it("copies only what is new", () => {
    const join = createJoinedHistory();
    const owner = {};
    const pieces = [Buffer.from("aaaa"), Buffer.from("b")];
    const before = join(owner, pieces);
    const after = join(owner, [...pieces, Buffer.from("c")]);
    expect(after.buffer).toBe(before.buffer);
  });

  it("keeps owners apart", () => {
    const join = createJoinedHistory();
    const one = join({}, [Buffer.from("one")]);
    join({}, [Buffer.from("two")]);
    expect(Buffer.from(one).toString()).toBe("one");
  });
});
