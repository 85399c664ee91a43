// One process of a session: begins it, or goes on with it; or one that wakes whatever is due.
import { createHost } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";

const { home, work, sessionId, mode, seconds } = JSON.parse(process.argv[2]);
process.env.CASTELLAN_HOME = home;
const host = createHost();
const steps = {
  sleep: [{ toolCalls: [{ name: "Sleep", input: { seconds } }] }, "slept"],
  wakeup: [{ toolCalls: [{ name: "ScheduleWakeup", input: { seconds, prompt: "Look." } }] }, "set"],
  wake: ["woken"],
};
const model = scriptedModel(steps[mode]);
const allowedTools = ["Sleep", "ScheduleWakeup"];
const tell = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const read = async (query) => {
  for await (const message of query) {
    if (message.type === "system" && message.subtype.startsWith("timer")) tell(message.subtype);
    if (message.type === "result") tell({ result: message.result, terminal: message.terminal_reason });
  }
};
if (mode === "wake") {
  await host.wakes.run({ once: true, options: { model, allowedTools }, onSession: read });
} else {
  const tools = allowedTools;
  await read(host.query({ prompt: "go", options: { model, cwd: work, sessionId, tools, allowedTools } }));
}
await host.close();
tell("end");
