import process from "node:process";
import { createHost } from "@castellan/sdk";

/**
 * What sessions hold that wait for the answer of a callback, over a process that has only imported the SDK.
 * `node --expose-gc waiting.js <sessions>` prints megabytes of heap and of memory outside it.
 */
const SESSIONS = Number(process.argv[2]);
/** A question that is open for two seconds is one to a person; then a session lets go of what it can. */
const AT_REST_MS = 3_500;
/** Less than this in that time is no change. */
const STILL_MB = 0.1;

const collect = (globalThis as { gc?: () => void }).gc;

function heldMb(): number {
  collect?.();
  collect?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

const asking = {
  id: "m",
  provider: "p",
  async *stream() {
    yield { type: "toolStart", id: "c1", name: "Bash" } as const;
    yield { type: "toolEnd", id: "c1", inputText: '{"command":"touch x"}' } as const;
    yield { type: "finish", stopReason: "tool_use" } as const;
  },
};

const empty = heldMb();
const host = createHost();
let waiting = 0;
const everyoneWaits = new Promise<void>((resolve) => {
  const canUseTool = (): Promise<never> => {
    waiting += 1;
    if (waiting === SESSIONS) resolve();
    return new Promise(() => {});
  };
  for (let i = 0; i < SESSIONS; i += 1) {
    const session = host.query({ prompt: "go", options: { model: asking, canUseTool } });
    void (async () => {
      for await (const message of session) {
        if (message.type === "result") throw new Error(`A session ended: ${message.subtype}`);
      }
    })();
  }
});
const alive = setInterval(() => {}, 1_000);
await everyoneWaits;
let before: number;
let held = Number.POSITIVE_INFINITY;
// On a busy disk it takes a while until all have written what they hold, and can let go of it.
do {
  await new Promise((resolve) => setTimeout(resolve, AT_REST_MS));
  before = held;
  held = heldMb();
} while (before - held > STILL_MB);
clearInterval(alive);
process.stdout.write(JSON.stringify(held - empty));
process.exit(0);
