import { dirname } from "node:path";
import type { Platform } from "../../platform/index.ts";
import type { Spawner } from "../../protocol/index.ts";
import { readRipgrepOutput } from "./read-ripgrep-output.ts";
import { ripgrepArguments } from "./ripgrep-arguments.ts";
import type { Searched, SearchRequest } from "./search-types.ts";

const TIMEOUT_MS = 60_000;
const MOST_ERROR_TEXT = 4_000;

/** Searches with the ripgrep program at `program`. */
export async function searchWithRipgrep(
  platform: Platform,
  spawner: Spawner,
  program: string,
  request: SearchRequest,
): Promise<Searched> {
  const reader = readRipgrepOutput(request);
  let errors = "";
  let stopped: "enough" | "timeout" | "interrupted" | undefined;
  const { RIPGREP_CONFIG_PATH: _, ...env } = spawner.env;
  const child = spawner.spawn({
    command: program,
    args: ripgrepArguments(request),
    cwd: request.isFile ? dirname(request.root.real) : request.root.real,
    env,
    onOutput(stream, chunk) {
      if (stopped !== undefined) return;
      if (stream === "stderr") errors = (errors + Buffer.from(chunk).toString()).slice(0, MOST_ERROR_TEXT);
      else if (!reader.push(chunk)) stop("enough");
    },
  });
  function stop(why: "enough" | "timeout" | "interrupted"): void {
    stopped ??= why;
    child.kill("SIGKILL");
  }
  const timer = platform.clock.timer(TIMEOUT_MS, () => stop("timeout"));
  const interrupt = (): void => stop("interrupted");
  request.signal.addEventListener("abort", interrupt, { once: true });
  if (request.signal.aborted) interrupt();
  const ended = await child.ended;
  timer.cancel();
  request.signal.removeEventListener("abort", interrupt);
  if (stopped === "interrupted") return { ok: false, text: "The search was interrupted." };
  if (stopped === "timeout") {
    return { ok: true, note: `The search was stopped after ${TIMEOUT_MS / 1000} s: there may be more.` };
  }
  if (stopped === "enough") return { ok: true };
  if (ended.kind === "failed") return { ok: false, text: ended.message };
  if (ended.code === 0 || ended.code === 1 || (ended.code === 2 && errors.trim() === "")) return { ok: true };
  return { ok: false, text: explain(errors, ended.signal) };
}

function explain(errors: string, signal: string | null): string {
  if (signal !== null) return `ripgrep was ended by the signal ${signal}.`;
  const text = errors.trim().replace(/^rg: /, "");
  const hint = text.includes("regex parse error")
    ? "\nEscape what is meant literally, such as \\{ or \\(."
    : "";
  return `The search failed: ${text}${hint}`;
}
