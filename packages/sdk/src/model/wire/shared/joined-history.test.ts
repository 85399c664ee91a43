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

  it("keeps the piece of each owner, however their requests alternate", () => {
    const join = createJoinedHistory();
    const owners = ["a", "b"].map((name) => ({ name, owner: {}, pieces: [Buffer.from(name.repeat(30))] }));
    const first = owners.map(({ owner, pieces }) => join(owner, pieces));
    for (let round = 1; round <= 3; round++) {
      for (const [i, one] of owners.entries()) {
        one.pieces = [...one.pieces, Buffer.from(`${one.name}${round}`)];
        const now = join(one.owner, one.pieces);
        expect(Buffer.from(now).toString()).toBe(Buffer.concat(one.pieces).toString());
        expect(now.buffer).toBe(first[i]?.buffer);
      }
    }
    expect(first.map((bytes) => Buffer.from(bytes).toString())).toEqual(["a".repeat(30), "b".repeat(30)]);
  });
});
