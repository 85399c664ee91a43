import type { SettingSource, Thinking } from "@castellan/sdk";
import { InvalidArgumentError } from "commander";

const SOURCES: readonly SettingSource[] = ["user", "project", "local"];

/** Providers take no smaller budget. */
const LEAST_THINKING = 1024;

/** The value of a flag that counts. @throws InvalidArgumentError */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || !Number.isSafeInteger(number))
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return number;
}

/** The value of `--setting-sources`: names with commas between them, or `none`. @throws InvalidArgumentError */
export function sources(value: string): readonly SettingSource[] {
  const names = value.trim() === "none" ? [] : value.split(",").map((name) => name.trim());
  return names.map((name) => {
    const known = SOURCES.find((source) => source === name);
    if (known === undefined)
      throw new InvalidArgumentError(`It must be ${SOURCES.join(", ")} with commas between them, or none.`);
    return known;
  });
}

/** The values of a flag that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The value of a flag in US dollars. @throws InvalidArgumentError */
export function amount(value: string): number {
  const number = Number(value);
  if (!/^(\d+\.?\d*|\.\d+)$/.test(value) || number <= 0 || !Number.isFinite(number))
    throw new InvalidArgumentError("It must be a number above 0, such as 0.50.");
  return number;
}

/** The value of `--thinking`. @throws InvalidArgumentError */
export function thinking(value: string): Thinking {
  if (value === "adaptive") return { type: "adaptive" };
  if (value === "off") return { type: "disabled" };
  const budgetTokens = Number(value);
  if (!/^\d+$/.test(value) || budgetTokens < LEAST_THINKING || !Number.isSafeInteger(budgetTokens)) {
    throw new InvalidArgumentError(
      `It must be adaptive, off, or a whole number of tokens of at least ${LEAST_THINKING}.`,
    );
  }
  return { type: "enabled", budgetTokens };
}
