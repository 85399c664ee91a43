import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { scratch } from "../kit/session.ts";
import { type Built, built } from "../setup/built.ts";

const run = promisify(execFile);

/** Runs a program in a process of its own; `weigh()` there gives megabytes that are held after a collection. */
async function program<T>(at: Built, body: string): Promise<T> {
  const file = join(mkdtempSync(join(at.folder, "program-")), "program.mjs");
  writeFileSync(
    file,
    `import { createHost } from "@castellan/sdk";
     const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
     const weigh = () => { gc(); gc(); const m = process.memoryUsage(); return (m.heapUsed + m.external) / 1e6; };
     const tell = (figures) => { process.stdout.write(JSON.stringify(figures)); process.exit(0); };
     const cwd = ${JSON.stringify(scratch())};
     const empty = weigh();
     const host = createHost();
     ${body}`,
  );
  const env = { ...process.env, CASTELLAN_HOME: scratch() };
  const { stdout } = await run(process.execPath, ["--expose-gc", file], { env, timeout: 60_000 });
  return JSON.parse(stdout) as T;
}

/** Sessions that each have a history of so many answers of 8 KB, and wait for a person. */
const waiting = (sessions: number, answers: number): string => `
  let asked = 0;
  for (let at = 0; at < ${sessions}; at += 1) {
    let request = 0;
    const model = { id: "m", provider: "p", async *stream() {
      request += 1;
      const isLast = request > ${answers};
      if (!isLast) yield { type: "text", delta: Buffer.alloc(8_000, at + " " + request + " ").toString() };
      const [name, input] = isLast ? ["Bash", '{"command":"touch x"}'] : ["Nope", "{}"];
      yield { type: "toolStart", id: "c" + request, name };
      yield { type: "toolEnd", id: "c" + request, inputText: input };
      yield { type: "finish", stopReason: "tool_use" };
    } };
    const canUseTool = () => { asked += 1; return new Promise(() => {}); };
    const session = host.query({ prompt: "go", options: { model, cwd, canUseTool } });
    (async () => { for await (const _ of session); })();
  }
  const alive = setInterval(() => {}, 1_000);
  while (asked < ${sessions}) await sleep(20);
  // On a busy disk it takes a while until all have written what they hold, and can let go of it.
  let held = Infinity, before;
  do { await sleep(3_000); before = held; held = weigh(); } while (before - held > 0.1);
  tell({ held: held - empty });`;

describe("memory that is held", () => {
  let at: Built;
  beforeAll(async () => {
    at = await built();
  });

  it("by sessions that wait for a person: their history is not among it", { timeout: 120_000 }, async () => {
    const bare = await program<{ held: number }>(at, waiting(200, 0));
    const long = await program<{ held: number }>(at, waiting(200, 20));
    console.log(
      `200 waiting sessions hold ${bare.held.toFixed(1)} MB, ${long.held.toFixed(1)} MB behind 160 KB each`,
    );
    expect(bare.held).toBeLessThan(13);
    // Twenty answers of 8 KB are 32 MB over all sessions.
    expect(long.held - bare.held).toBeLessThan(10);
  });

  it("for a reader that takes one message a second: bounded, and it gets all that is finished", {
    timeout: 120_000,
  }, async () => {
    const figures = await program<{
      held: number;
      most: number;
      given: number;
      whole: boolean;
      results: number;
    }>(
      at,
      `let given = 0;
       const model = { id: "m", provider: "p", async *stream() {
         for (; given < 400_000; given += 1) yield { type: given % 2 === 0 ? "text" : "reasoning", delta: "word " };
         yield { type: "finish", stopReason: "end_turn" };
       } };
       const session = host.query({ prompt: "go", options: { model, cwd, includePartialMessages: true } });
       let most = 0;
       for (let second = 0; second < 5; second += 1) { await session.next(); await sleep(1_000); most = Math.max(most, weigh() - empty); }
       const early = given;
       let results = 0;
       let assistant;
       for await (const message of session) {
         if (message.type === "result") results += 1;
         if (message.type === "assistant") assistant = message;
       }
       const words = assistant.message.content.map((block) => block.text ?? block.thinking).join("");
       tell({ most, given: early, whole: words.length === 400_000 * 5, results });`,
    );
    console.log(
      `a reader of one message a second: ${figures.most.toFixed(1)} MB held, ${figures.given} parts given`,
    );
    expect(figures.most).toBeLessThan(20);
    expect(figures.given).toBeLessThan(2_000);
    expect([figures.whole, figures.results]).toEqual([true, 1]);
  });
});
