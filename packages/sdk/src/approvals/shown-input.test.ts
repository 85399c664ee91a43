import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../protocol/index.ts";
import { leavesRedacted, redactedPlaces, restored } from "./shown-input.ts";

const real: JsonObject = {
  command: "curl -H sk-1",
  env: [{ name: "TOKEN", value: "sk-2" }],
  dir: "/tmp",
  "a.b/c": { "": "sk-3" },
};
const shown: JsonObject = {
  command: "curl -H [key]",
  env: [{ name: "TOKEN", value: "[key]" }],
  dir: "/tmp",
  "a.b/c": { "": "[key]" },
};

describe("an input of which something was taken out", () => {
  it("names the places", () => {
    expect(redactedPlaces(real, shown)).toEqual([["command"], ["env", "0", "value"], ["a.b/c", ""]]);
    expect(redactedPlaces(real, real)).toEqual([]);
    expect(redactedPlaces(real, { ...shown, env: [] })).toContainEqual(["env"]);
    expect(redactedPlaces(real, {})).toEqual([["command"], ["env"], ["dir"], ["a.b/c"]]);
  });

  it("gets back what an edit leaves alone", () => {
    expect(restored({ ...shown, dir: "/srv" }, real, shown)).toEqual({ ...real, dir: "/srv" });
    expect(restored(shown, real, shown)).toEqual(real);
    expect(restored({ dir: "/srv", command: "curl -H [key]" }, real, shown)).toEqual({
      dir: "/srv",
      command: "curl -H sk-1",
    });
    expect(restored({ dir: "/srv" }, real, { dir: "/tmp" })).toEqual({ ...real, dir: "/srv" });
    expect(restored({ a: 1 }, real, {})).toMatchObject({ a: 1, command: "curl -H sk-1" });
  });

  it.each<JsonObject>([
    { ...shown, command: "curl -H [key] -v" },
    { ...shown, command: "curl" },
    { ...shown, command: "curl -v", env: [] },
    {
      ...shown,
      env: [
        { name: "TOKEN", value: "[key]" },
        { name: "OTHER", value: "[key]" },
      ],
    },
    { ...shown, dir: "curl -H [key]" },
    { ...shown, other: { deep: ["[key]"] } },
  ])("takes no edit that changes or carries elsewhere what nobody could see (%#)", (edit) => {
    expect(leavesRedacted(edit, shown, redactedPlaces(real, shown))).toBe(false);
    expect(restored(edit, real, shown)).toBeUndefined();
  });

  it("never lets a text that stands for a secret through, whatever the edit", () => {
    const leaf = fc.oneof(fc.constant("[key]"), fc.constant("plain"), fc.integer());
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("any"), { maxKeys: 3 }),
      ),
    })).any;
    const object = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 });
    fc.assert(
      fc.property(object, object, (given, edit) => {
        const own = JSON.parse(JSON.stringify(given).replaceAll("[key]", "sk-1")) as JsonObject;
        const whole = restored(edit as JsonObject, own, given as JsonObject);
        // Nothing was taken out of an input that holds no secret.
        if (JSON.stringify(own) === JSON.stringify(given)) return;
        if (whole !== undefined) expect(JSON.stringify(whole)).not.toContain("[key]");
      }),
      { numRuns: Number(process.env.CASTELLAN_RUNS ?? 200) },
    );
  });
});
