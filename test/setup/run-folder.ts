import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../../node_modules/.cache/castellan-test", import.meta.url));

/**
 * Two folders for each run of the tests, so that runs beside each other never share a build: one in the checkout, from
 * which the checkout's packages resolve, and one outside, from which nothing does.
 */
export async function setup(): Promise<() => Promise<void>> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "run-"));
  const outside = await mkdtemp(join(tmpdir(), "castellan-run-"));
  process.env.CASTELLAN_TEST_FOLDER = folder;
  process.env.CASTELLAN_TEST_OUTSIDE = outside;
  return async () => {
    for (const each of [folder, outside]) await rm(each, { recursive: true, force: true, maxRetries: 3 });
  };
}
