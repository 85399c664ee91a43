import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { built } from "../../setup/built.ts";

/** A process of its own that decides about approvals over the same home. */
export interface OtherProcess {
  /** Resolves with `won`, or with the code of the error. */
  decide(id: string, approves: boolean, options?: object): Promise<string>;
  end(): Promise<void>;
}

export async function otherProcess(start: {
  readonly kind: "JSONL" | "SQLite";
  readonly home: string;
  readonly by: string;
}): Promise<OtherProcess> {
  const { folder } = await built();
  const program = join(folder, "decider.mjs");
  cpSync(fileURLToPath(new URL("program/decider.mjs", import.meta.url)), program);
  const child = spawn(process.execPath, [program, JSON.stringify(start)], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: start.home, CASTELLAN_HOME: start.home },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const waiting = new Map<string, (came: string) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, came } = JSON.parse(line) as { id: string; came: string };
    waiting.get(id)?.(came);
    waiting.delete(id);
  });
  return {
    decide: (id, approves, options) =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        child.stdin.write(`${JSON.stringify({ id, approves, options })}\n`);
      }),
    end() {
      child.stdin.end();
      return ended;
    },
  };
}
