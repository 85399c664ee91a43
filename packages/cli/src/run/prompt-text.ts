/** The most that standard input may hold, in bytes. */
const MOST = 10 * 1024 * 1024;

/** What is wrong with how a command was called: exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The prompt of a run: the argument, and behind a blank line what was piped in. */
export async function promptText(argument: string | undefined, input: NodeJS.ReadStream): Promise<string> {
  const piped = input.isTTY === true ? "" : await readAll(input);
  return [argument ?? "", piped].filter((part) => part.trim() !== "").join("\n\n");
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MOST)
      throw new UsageError("Standard input is over 10 MB. Put it in a file and name the file in the prompt.");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
