import { runCli } from "./program.ts";

process.exitCode = await runCli(process.argv.slice(2));
// A question that was left open keeps standard input alive; what is written still goes out.
process.stdin.unref?.();
