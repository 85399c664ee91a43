import { fdatasync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { createHost, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";

/**
 * A turn whose call must not run twice, with each kind of durability, and one fdatasync by itself, in turn in one
 * process. `node power.js <turns> <rounds>` prints milliseconds, one object a round.
 */
const TURNS = Number(process.argv[2]);
const ROUNDS = Number(process.argv[3]);

const once = tool("once", "Writes.", { n: "integer" }, () => ({ content: [{ type: "text", text: "ok" }] }));

async function turn(durability: "process" | "power"): Promise<number> {
  const host = createHost({ durability });
  const calls = Array.from({ length: TURNS }, (_, n) => ({ toolCalls: [{ name: "once", input: { n } }] }));
  const options = { model: scriptedModel([...calls, "done"]), tools: [once], allowedTools: ["once"] };
  const began = performance.now();
  for await (const message of host.query({ prompt: "go", options })) {
    if (message.type === "result" && message.subtype !== "success")
      throw new Error(message.errors?.join(" "));
  }
  const ms = (performance.now() - began) / TURNS;
  await host.close();
  return ms;
}

const flushed = promisify(fdatasync);

/** What a turn appends, and the wait for the disk. */
async function flush(round: number): Promise<number> {
  const file = openSync(join(process.cwd(), `flush-${round}`), "w");
  const text = "x".repeat(600);
  const began = performance.now();
  for (let i = 0; i < TURNS; i += 1) {
    writeSync(file, text);
    await flushed(file);
  }
  return (performance.now() - began) / TURNS;
}

await turn("process");
const rounds: object[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  rounds.push({ process: await turn("process"), power: await turn("power"), flush: await flush(round) });
}
process.stdout.write(JSON.stringify(rounds));
