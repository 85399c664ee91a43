import process from "node:process";
import { createSdkMcpServer, type Options, query, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { manyRules } from "../engines/many-rules.ts";

/**
 * What a call of a server in this process costs over its handler, which does nothing: from the first handler to the
 * last of a message with many calls. Everything of a session is there: rules, decision, log on the disk, messages for
 * the reader. `node calls-in-process.js <calls> <sessions>` prints microseconds a call, one pair a session.
 */
const CALLS = Number(process.argv[2]);
const SESSIONS = Number(process.argv[3]);
/** The code is warm in a program that makes so many calls. */
const WARM_UP = Math.min(SESSIONS, 5);

async function session(): Promise<{ readonly wall: number; readonly cpu: number }> {
  let first = 0;
  let last = 0;
  let cpu: NodeJS.CpuUsage | undefined;
  const row = tool(
    "read_row",
    "Reads one row of the table.",
    { n: "integer" },
    ({ n }) => {
      cpu ??= process.cpuUsage();
      last = performance.now();
      first ||= last;
      return { content: [{ type: "text", text: `row ${n}` }] };
    },
    { riskLevel: "low", annotations: { readOnlyHint: true } },
  );
  const toolCalls = Array.from({ length: CALLS }, (_, n) => ({ name: "mcp__table__read_row", input: { n } }));
  const options: Options = {
    model: scriptedModel([{ toolCalls }, "done"]),
    tools: ["mcp__table"],
    mcpServers: { table: createSdkMcpServer({ name: "table", tools: [row] }) },
    settings: { permissions: manyRules(10) },
  };
  let results = 0;
  for await (const message of query({ prompt: "Read every row.", options })) {
    if (message.type === "user") results += 1;
    if (message.type === "result" && message.subtype !== "success")
      throw new Error(message.errors?.join(" "));
  }
  if (results !== CALLS) throw new Error(`${results} of ${CALLS} calls gave a result.`);
  const used = process.cpuUsage(cpu);
  return { wall: (1_000 * (last - first)) / (CALLS - 1), cpu: (used.user + used.system) / CALLS };
}

const measured: { readonly wall: number; readonly cpu: number }[] = [];
for (let i = 0; i < WARM_UP + SESSIONS; i++) {
  const one = await session();
  if (i >= WARM_UP) measured.push(one);
}
process.stdout.write(JSON.stringify(measured));
