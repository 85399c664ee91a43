import { EXIT } from "./exit-codes.ts";
import { runCli } from "./program.ts";

let lost = false;
// A reader that went away (`| head`) is no failure; a full disk is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || lost) return;
  lost = true;
  process.stderr.write(`castellan: standard output cannot be written: ${error.message}\n`);
});
process.stderr.on("error", () => {});

const code = await runCli(process.argv.slice(2));
await Promise.all([process.stdout, process.stderr].map(written));
// Nothing that a model's module left behind (a timer, an open socket) holds the process.
process.exit(lost && code === EXIT.done ? EXIT.failed : code);

/** Resolves when all that was written so far has left this process, or cannot. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write("", () => resolve());
  });
}
