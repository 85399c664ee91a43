import type { InputIssue } from "../../protocol/index.ts";
import { isJsonObject } from "../plain.ts";
import { type Check, fail, mergeSeen, newSeen } from "./faults.ts";
import { keywordChecks } from "./keyword-checks.ts";
import { refLookup } from "./refs.ts";

type Json = { [key: string]: unknown };

/** Judges a value against a schema: an empty list when it is valid. Never throws. */
export type Validator = (value: unknown) => readonly InputIssue[];

const VALID: readonly InputIssue[] = [];
const pass: Check = () => true;

/**
 * Compiles a schema that `checkJsonSchema` found well formed. Patterns run in linear time, look-ups go by own
 * properties only, and the schema itself is not touched.
 */
export function compileValidator(root: Json): Validator {
  const check = compileRoot(root);
  return (value) => {
    try {
      if (check(value, undefined, undefined, undefined)) return VALID;
      const faults: InputIssue[] = [];
      check(value, undefined, faults, undefined);
      if (faults.length === 0) fail(faults, undefined, "does not match the schema", value);
      return faults;
    } catch (error) {
      const message = error instanceof RangeError ? "is nested too deeply" : "cannot be judged";
      return [{ path: "", message }];
    }
  };
}

function compileRoot(root: Json): Check {
  const lookup = refLookup(root);
  const compiled = new Map<unknown, Check>();
  const compile = (schema: unknown): Check => {
    if (schema === false) return (value, place, faults) => fail(faults, place, "is not allowed here", value);
    if (!isJsonObject(schema)) return pass;
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // A reference back to a schema that is still being compiled finds it when it is first run.
    compiled.set(schema, (value, place, faults, seen) =>
      (compiled.get(schema) ?? pass)(value, place, faults, seen),
    );
    const check = join(schema, keywordChecks(schema, compile, lookup));
    compiled.set(schema, check);
    return check;
  };
  return compile(root);
}

function join(schema: Json, checks: readonly Check[]): Check {
  const [first, ...rest] = checks;
  if (first === undefined) return pass;
  const wantsSeen = "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
  if (rest.length === 0 && !wantsSeen) return first;
  const typed = "type" in schema;
  return (value, place, faults, seen) => {
    const mine = wantsSeen ? newSeen() : seen;
    let ok = true;
    for (const check of checks) {
      if (check(value, place, faults, mine)) continue;
      ok = false;
      // Where the type is wrong, the rest would only repeat it.
      if (faults === undefined || (typed && check === first)) return false;
    }
    if (ok && wantsSeen && mine !== undefined && seen !== undefined) mergeSeen(seen, mine);
    return ok;
  };
}
