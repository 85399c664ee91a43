import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, describe as group, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { FORM_CASES } from "./forms.cases.ts";
import { JSON_FORM_CASES } from "./forms-json.cases.ts";
import { ZOD3_CASES } from "./forms-zod3.cases.ts";

const ALL = [...FORM_CASES, ...ZOD3_CASES, ...JSON_FORM_CASES];

/** Refused by the library or a format though the schema that the model sees takes it; and a key that Ajv passes over. */
const BEYOND: readonly (readonly [name: string, path: string])[] = [
  ["zod: transform and refine", "a"],
  ["zod: asynchronous refine", "a"],
  ["zod: object with refine", "b"],
  ["json: pattern and format", "f"],
  ["map: names of Object.prototype", "__proto__"],
];

function ajvFor(form: unknown): { takes(value: unknown): boolean } {
  const { jsonSchema } = compileSchema(form, { tool: "t" });
  const check = new Ajv2020({
    strict: false,
    validateFormats: false,
    ownProperties: true,
    multipleOfPrecision: 9,
  }).compile(jsonSchema);
  const wrapper = ["input", "value"].find(
    (key) =>
      jsonSchema.additionalProperties === false && Object.keys(jsonSchema.properties as object)[0] === key,
  );
  // A bare input is accepted where the model's stands below one key.
  const isBare = (value: unknown): boolean =>
    wrapper !== undefined && typeof value === "object" && value !== null && !Object.hasOwn(value, wrapper);
  return { takes: (value) => check(isBare(value) ? { [wrapper as string]: value } : value) };
}

group("Ajv, over the schema that the model sees", () => {
  it.each(ALL)("$name: takes what is taken", ({ form, takes = [], becomes = [] }) => {
    const ajv = ajvFor(form);
    for (const value of [...takes, ...becomes.map(([given]) => given)])
      expect(ajv.takes(value), JSON.stringify(value)).toBe(true);
  });

  it.each(ALL)("$name: refuses what is refused", ({ name, form, refuses }) => {
    const ajv = ajvFor(form);
    for (const [given, path] of refuses) {
      const isBeyond = BEYOND.some(([other, place]) => other === name && place === path);
      if (!isBeyond) expect(ajv.takes(given), JSON.stringify(given)).toBe(false);
    }
  });

  it("was overruled only where a library or a format knows more", () => {
    for (const [name, path] of BEYOND) {
      const one = ALL.find((each) => each.name === name);
      const ajv = ajvFor(one?.form);
      const said = one?.refuses.filter(([, place]) => place === path).map(([given]) => ajv.takes(given));
      expect(said, name).toContain(true);
    }
  });
});

const isOfLibrary = (name: string): boolean => !/^(map|json): /.test(name);

group("what is told of a refused input", () => {
  it.each(ALL)("$name: path, what was expected, what came", async ({ name, form, refuses }) => {
    for (const [given, path] of refuses) {
      const parsed = await compileSchema(form, { tool: "t" }).parse(given);
      const issue = parsed.ok ? undefined : parsed.issues.find((each) => each.path === path);
      expect(issue?.got ?? issue?.message, JSON.stringify(given)).toMatch(/\S/);
      expect(`${issue?.message}${issue?.expected ?? ""}`.length, JSON.stringify(issue)).toBeGreaterThan(8);
      // Libraries say what came in words of their own; what was expected is read from the schema.
      if (isOfLibrary(name)) expect(issue?.expected, JSON.stringify(issue)).toMatch(/\S/);
    }
  });
});
