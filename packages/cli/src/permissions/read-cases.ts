import { extname } from "node:path";
import type { PolicyCase } from "@castellan/sdk/permissions";
import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { givenFile } from "../run/given-file.ts";
import { yamlCases } from "./yaml-cases.ts";

/** The cases of a file as they stand there, not checked yet, and the 1-based line of each. */
export interface CaseFile {
  readonly cases: readonly PolicyCase[];
  readonly lines: readonly number[];
}

/**
 * Reads a file of cases: YAML (a list) where its name ends in .yaml or .yml, else JSON, one case a line.
 *
 * @throws Fault (usage) naming file, line and fix.
 */
export async function readCases(file: string): Promise<CaseFile> {
  const text = await givenFile("--cases", file, "Name a file of cases.");
  const isYaml = [".yaml", ".yml"].includes(extname(file).toLowerCase());
  const found = isYaml ? await yamlCases(file, text) : jsonLines(file, text);
  if (found.length === 0) throw new Fault(EXIT.usage, `${file} holds no case. Write one a line.`);
  return {
    cases: found.map(({ value }) => value as PolicyCase),
    lines: found.map(({ line }) => line),
  };
}

function jsonLines(file: string, text: string): { readonly line: number; readonly value: unknown }[] {
  return text.split("\n").flatMap((content, index) => {
    if (content.trim() === "") return [];
    try {
      return [{ line: index + 1, value: JSON.parse(content) as unknown }];
    } catch (error) {
      const why = (error as Error).message;
      const fix = "Each line holds one case as a JSON object; a file that ends in .yaml may hold a list.";
      throw new Fault(EXIT.usage, `${file}, line ${index + 1}: it is no JSON: ${why}. ${fix}`, error);
    }
  });
}
