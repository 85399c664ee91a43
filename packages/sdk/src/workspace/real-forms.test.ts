import { describe, expect, it } from "vitest";
import { memoryFiles } from "../platform/index.ts";
import { realForms, realNow } from "./real-forms.ts";

const fs = memoryFiles(["/w/sub"], { "/one": "-> w", "/circle": "-> circle" });

describe("the real forms of directories", () => {
  it("are those that differ, of what is there", () => {
    const forms = realForms({ fs }, ["/w", "/one", "/one/sub", "/gone", "/circle"]);
    expect([...forms]).toEqual([
      ["/one", "/w"],
      ["/one/sub", "/w/sub"],
    ]);
    expect(realForms({ fs }, []).size).toBe(0);
  });

  it("are not known of what cannot be followed", () => {
    expect(realNow(fs, "/one/sub")).toBe("/w/sub");
    expect(realNow(fs, "/circle")).toBeUndefined();
  });
});
