import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { onTestFinished } from "vitest";
import { built } from "../setup/built.ts";
import { cliEnv } from "./run-cli.ts";
import type { Scratch } from "./scratch.ts";

const PATIENCE_MS = 15_000;

/** A command in a real terminal. */
export interface Terminal {
  /** All that was written so far, with its escape sequences. */
  raw(): string;
  /** The same as plain text. */
  text(): string;
  /** Waits until `text` stands behind what earlier waits found. Rejects with all that was written when it never does. */
  until(text: string): Promise<void>;
  press(keys: string): void;
  /** Exit code, once the command has ended. */
  readonly ended: Promise<number>;
}

export const KEY = {
  enter: "\r",
  down: "\u001b[B",
  up: "\u001b[A",
  escape: "\u001b",
  ctrlC: "\u0003",
} as const;

export async function inTerminal(
  place: Scratch,
  args: readonly string[],
  columns = 80,
  env: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const { bin } = await built();
  const pty = spawn(process.execPath, [bin, ...args], {
    name: "xterm-256color",
    cols: columns,
    rows: 60,
    cwd: place.work,
    env: cliEnv(place, env) as Record<string, string>,
  });
  let raw = "";
  let seen = 0;
  let code: number | undefined;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const check of waiting) check();
  };
  pty.onData((data) => {
    raw += data;
    wake();
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      code = exitCode;
      resolve(exitCode);
      wake();
    });
  });
  onTestFinished(() => {
    if (code === undefined) pty.kill("SIGKILL");
  });
  const text = (): string => stripVTControlCharacters(raw).replace(/\r/g, "");
  return {
    raw: () => raw,
    text,
    press: (keys) => pty.write(keys),
    ended,
    until(wanted) {
      return new Promise((resolve, reject) => {
        const give = (problem: string): void => {
          stop();
          reject(new Error(`${problem} before ${JSON.stringify(wanted)} came. Written so far:\n${text()}`));
        };
        const timer = setTimeout(() => give("Time was up"), PATIENCE_MS);
        const stop = (): void => {
          clearTimeout(timer);
          waiting.delete(check);
        };
        const check = (): void => {
          const at = text().indexOf(wanted, seen);
          if (at >= 0) {
            seen = at + wanted.length;
            stop();
            resolve();
          } else if (code !== undefined) give(`The command ended with ${code}`);
        };
        waiting.add(check);
        check();
      });
    },
  };
}
