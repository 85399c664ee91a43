import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";

/** The most that standard input may hold, in bytes. */
const MOST = 10 * 1024 * 1024;
/** After this time without an end of standard input, the person is told what the run waits for. */
const PATIENCE_MS = 3_000;

/** The prompt of a run: the argument, and behind a blank line what was piped in. */
export async function promptText(argument: string | undefined, input: NodeJS.ReadStream): Promise<string> {
  const piped = input.isTTY === true ? "" : await readAll(input);
  return [argument ?? "", piped].filter((part) => part.trim() !== "").join("\n\n");
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  const hint = setTimeout(() => {
    process.stderr.write("castellan: waiting for the end of standard input (</dev/null gives it none)\n");
  }, PATIENCE_MS);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MOST) {
        throw new Fault(
          EXIT.usage,
          "Standard input is over 10 MB. Put it in a file and name the file in the prompt.",
        );
      }
      chunks.push(bytes);
    }
  } finally {
    clearTimeout(hint);
  }
  return Buffer.concat(chunks).toString("utf8");
}
