import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventStore } from "@castellan/sdk";
import { onTestFinished } from "vitest";

/** One test's own folders: a home for sessions, a place to work in, a place for temporary files. */
export interface Scratch {
  readonly home: string;
  readonly work: string;
  readonly tmp: string;
  /** Writes a list of turns beside the work folder and gives the name of its model. */
  script(turns: readonly unknown[]): Promise<string>;
  /** Writes a module of turns; `body` is the text of the list. */
  module(body: string): Promise<string>;
  /** The events of the only session, as written so far; a torn last line is left out. */
  events(): Promise<readonly LogEvent[]>;
}

export type LogEvent = Awaited<ReturnType<EventStore["read"]>>[number];

export async function scratch(): Promise<Scratch> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "castellan-cli-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [home, work, tmp] = [join(folder, "home"), join(folder, "work"), join(folder, "tmp")];
  for (const each of [home, work, tmp]) await mkdir(each);
  let scripts = 0;
  const write = async (extension: string, text: string): Promise<string> => {
    scripts += 1;
    const file = join(folder, `script-${scripts}.${extension}`);
    await writeFile(file, text);
    return `scripted:${file}`;
  };
  return {
    home,
    work,
    tmp,
    script: (turns) => write("json", JSON.stringify(turns)),
    module: (body) => write("mjs", `${LAST_RESULT}\nexport const turns = [${body}];\n`),
    async events() {
      const names = await readdir(join(home, "sessions"), { recursive: true }).catch(() => []);
      const log = names.find((name) => name.endsWith("log.jsonl"));
      if (log === undefined) return [];
      const text = await readFile(join(home, "sessions", log), "utf8");
      return text
        .slice(0, text.lastIndexOf("\n") + 1)
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
  };
}

/** For modules of turns: what the latest tool results said. */
const LAST_RESULT = `const said = (request) => request.messages
  .at(-1).parts.flatMap((part) => (part.content ?? [part]).map((piece) => piece.text)).join(" | ");`;
