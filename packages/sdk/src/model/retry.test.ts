import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AbortError, CastellanError } from "../protocol/index.ts";
import { isThrottled, readFailure } from "./read-failure.ts";
import { MAX_RETRIES, planRetry } from "./retry.ts";

const failure = { message: "gone", kind: "network", retryable: true };
const delay = (retries: number, random: number, retryAfterMs?: number): number => {
  const facts = retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
  const plan = planRetry(facts, retries, random);
  if (!plan.again) throw new Error("It gave up.");
  return plan.delayMs;
};

describe("when a request is sent again", () => {
  it("doubles from half a second to 32 seconds, the second half at random", () => {
    const least = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((retries) => delay(retries, 0));
    expect(least).toEqual([250, 500, 1000, 2000, 4000, 8000, 16000, 16000, 16000, 16000]);
    expect(delay(0, 0.5)).toBe(375);
    expect(delay(9, 0.999_999)).toBe(32_000);
  });

  it("waits as long as the provider asks, and at most a second longer", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600_000 }),
        fc.nat(9),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (asked, retries, random) => {
          const wait = delay(retries, random, asked);
          expect(wait).toBeGreaterThanOrEqual(asked);
          expect(wait).toBeLessThanOrEqual(asked + 1000);
        },
      ),
    );
    expect(delay(3, 0, 0)).toBe(2000);
  });

  it("ends after ten retries, and where the provider asks for more than ten minutes", () => {
    expect(MAX_RETRIES).toBe(10);
    expect(planRetry(failure, 10, 0)).toEqual({ again: false, spent: true, why: "It was tried 11 times." });
    const patient = planRetry({ ...failure, retryAfterMs: 600_001 }, 0, 0);
    expect(patient).toMatchObject({ again: false, spent: true, why: expect.stringContaining("600 seconds") });
  });

  it("never happens for what cannot succeed", () => {
    const plan = planRetry({ ...failure, retryable: false }, 0, 0);
    expect(plan).toEqual({ again: false, spent: false, why: undefined });
  });
});

describe("what a model threw", () => {
  const withFields = (fields: object, text = "x"): Error => Object.assign(new Error(text), fields);
  it.each<[string, unknown, object]>([
    ["a plain error", new Error("lost"), { message: "lost", kind: "unknown", retryable: true }],
    ["a text", "lost", { message: "lost", retryable: true }],
    ["nothing", undefined, { message: "it threw something that is not an Error.", retryable: true }],
    ["an abort", new AbortError(), { retryable: false }],
    ["a DOM abort", withFields({ name: "AbortError" }), { retryable: false }],
    ["a fault of a program", new RangeError("x"), { retryable: false }],
    ["a type error", new TypeError("a is not a function"), { retryable: false }],
    [
      "a lost fetch",
      new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }),
      { message: "fetch failed (ECONNRESET)", retryable: true },
    ],
    ["a script", new CastellanError("script_exhausted", "x"), { retryable: false }],
    ["a missing key", new CastellanError("missing_key", "x"), { retryable: false }],
    ["a failed model", new CastellanError("model_failed", "x"), { retryable: true }],
    ["a status 400", withFields({ status: 400 }), { kind: "http", status: 400, retryable: false }],
    ["a status 401", withFields({ statusCode: 401 }), { status: 401, retryable: false }],
    ["a status 408", withFields({ status: 408 }), { retryable: true }],
    ["a status 429", withFields({ status: 429, retryAfterMs: 5 }), { retryable: true, retryAfterMs: 5 }],
    ["a status 503", withFields({ status: 503 }), { retryable: true }],
    ["a status 529", withFields({ statusCode: 529 }), { status: 529, retryable: true }],
    ["an AI SDK error", withFields({ isRetryable: false, statusCode: 500 }), { retryable: false }],
    ["its own word", withFields({ retryable: false }), { retryable: false }],
    [
      "a failure inside",
      Object.assign(new CastellanError("model_failed", "outer"), {
        failure: { kind: "context_overflow", message: "inner", retryable: false, status: 400 },
      }),
      { kind: "context_overflow", message: "inner", retryable: false, status: 400 },
    ],
    ["a senseless wait", withFields({ retryAfterMs: -1 }), { retryAfterMs: undefined }],
    ["an infinite wait", withFields({ retryAfterMs: Number.POSITIVE_INFINITY }), { retryAfterMs: undefined }],
  ])("%s", (_name, error, facts) => {
    const { retryAfterMs, ...rest } = readFailure(error);
    expect({ retryAfterMs, ...rest }).toMatchObject(facts);
  });

  it("is read whatever it is", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    );
    expect(readFailure(hostile)).toMatchObject({ retryable: true });
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        const facts = readFailure(thrown);
        expect(typeof facts.message).toBe("string");
        expect(typeof facts.retryable).toBe("boolean");
      }),
    );
  });

  it("is a refusal of too many requests for 429 and 529 only", () => {
    const told = [429, 529, 500, 503, undefined].map((status) =>
      isThrottled(status === undefined ? failure : { ...failure, status }),
    );
    expect(told).toEqual([true, true, false, false, false]);
  });
});
