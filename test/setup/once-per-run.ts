import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 50;

/**
 * The worker that makes the lock folder does the work; the others wait for the outcome that it writes there.
 *
 * @param work gives the outcome as a text, and does not throw.
 */
export async function oncePerRun(
  lock: string,
  patienceMs: number,
  work: () => Promise<string>,
): Promise<string> {
  const outcome = join(lock, "outcome");
  try {
    await mkdir(lock);
  } catch {
    return waitFor(outcome, patienceMs);
  }
  const result = await work();
  await writeFile(`${outcome}.part`, result);
  await rename(`${outcome}.part`, outcome);
  return result;
}

async function waitFor(path: string, patienceMs: number): Promise<string> {
  for (let waited = 0; waited < patienceMs; waited += POLL_MS) {
    try {
      return await readFile(path, "utf8");
    } catch {
      await sleep(POLL_MS);
    }
  }
  throw new Error(`The work did not end within ${patienceMs} ms (${path}).`);
}
