import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../../node_modules/.cache/castellan-test", import.meta.url));

/** One folder for each run of the tests, so that runs beside each other never share a build. */
export async function setup(): Promise<() => Promise<void>> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "run-"));
  process.env.CASTELLAN_TEST_FOLDER = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
