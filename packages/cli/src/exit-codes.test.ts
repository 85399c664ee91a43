import { describe, expect, it } from "vitest";
import { EXIT, exitCodeOfReason } from "./exit-codes.ts";

describe("the exit code for a reason", () => {
  it.each(["interrupted", "closed", "aborted", "denied_interrupt"])("%s was ended from outside", (reason) => {
    expect(exitCodeOfReason(reason)).toBe(EXIT.interrupted);
  });

  it("anything else is a failure", () => {
    expect(exitCodeOfReason("model_error")).toBe(EXIT.failed);
    expect(exitCodeOfReason("constructor")).toBe(EXIT.failed);
  });
});
