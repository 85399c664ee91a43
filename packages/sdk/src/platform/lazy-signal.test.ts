import { describe, expect, it } from "vitest";
import { lazySignal } from "./index.ts";

describe("a lazy signal", () => {
  it("is one signal, which fires with the reason", () => {
    const offered = lazySignal();
    const signal = offered.signal();
    expect(signal.aborted).toBe(false);
    const reason = new Error("enough");
    offered.abort(reason);
    expect(offered.signal()).toBe(signal);
    expect(signal).toMatchObject({ aborted: true, reason });
  });

  it("has fired where it is first looked at afterwards", () => {
    const offered = lazySignal();
    const reason = new Error("too late");
    offered.abort(reason);
    expect(offered.signal()).toMatchObject({ aborted: true, reason });
  });
});
