import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PRICES_AS_OF } from "../../packages/sdk/src/model/index.ts";
import { root } from "../architecture/sources.ts";

it("docs/models.md tells the dates on which the prices were looked up", async () => {
  const text = (await readFile(join(root, "docs/models.md"), "utf8")).replace(/\s+/g, " ");
  const words = (day: string): string =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", {
      ...{ day: "numeric", month: "long", year: "numeric", timeZone: "UTC" },
    });
  expect(text).toContain(
    `Anthropic (list prices of ${words(PRICES_AS_OF.anthropic)}) and OpenAI (${words(PRICES_AS_OF.openai)})`,
  );
});
