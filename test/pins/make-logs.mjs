// Makes the logs of this release, once: real sessions over real tools, with the start directory written as {{cwd}}.
// A log that is there already is never written again. Run it with: npm run build && node test/pins/make-logs.mjs
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHost } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";

const { version } = JSON.parse(
  readFileSync(new URL("../../packages/sdk/package.json", import.meta.url), "utf8"),
);
const folder = fileURLToPath(new URL(`logs/${version}/`, import.meta.url));
mkdirSync(folder, { recursive: true });

const call = (name, input = {}) => ({ toolCalls: [{ name, input }] });

/** Every kind of event that a session of this release writes. */
async function everything(cwd) {
  const store = memoryStore();
  const host = createHost({ store });
  const model = scriptedModel([
    { text: "half", breakOff: true },
    call("Read", { file_path: join(cwd, "a.txt") }),
    {
      thinking: "Look first.",
      toolCalls: [{ name: "Write", input: { file_path: join(cwd, "a.txt"), content: "one\n" } }],
    },
    call("Edit", { file_path: join(cwd, "a.txt"), old_string: "one", new_string: "two" }),
    call("Read", { file_path: join(cwd, "a.txt") }),
    call("TodoWrite", { todos: [{ content: "Test it", activeForm: "Testing it", status: "in_progress" }] }),
    call("Bash", { command: "mkdir -p sub && cd sub" }),
    call("Bash", { command: "rm -rf /" }),
    call("Bash", { command: "echo in the background", run_in_background: true }),
    call("EnterPlanMode"),
    "Planned.",
    "More.",
  ]);
  const client = host.client({
    model,
    cwd,
    title: "Everything",
    permissionMode: "acceptEdits",
    tools: ["Write", "Edit", "Read", "Bash", "TodoWrite", "EnterPlanMode", "ExitPlanMode"],
    disallowedTools: ["Bash(rm *)"],
    enableFileCheckpointing: true,
    hooks: { PreToolUse: [{ matcher: "Read", hooks: [() => ({ systemMessage: "read" })] }] },
    canUseTool: (_, __, { suggestions }) => ({
      behavior: "allow",
      updatedPermissions: suggestions.slice(0, 1),
    }),
  });
  await client.query("Begin.");
  let sessionId = "";
  for await (const message of client.receiveResponse()) sessionId = message.session_id;
  const script = join(cwd, "model.json");
  writeFileSync(script, JSON.stringify(Array(40).fill({ text: "More." })));
  await client.setModel(`scripted:${script}`);
  await client.addDirectories([join(cwd, "sub")]);
  await client.query("Go on.");
  for await (const _ of client.receiveResponse());
  await client.close();
  await host.sessions.rename(sessionId, "Everything, renamed");
  await host.sessions.tag(sessionId, ["pinned"]);
  return store.read(sessionId);
}

/** A log that broke off while two calls ran: one may run again, of the other nobody knows. */
async function cutShort(cwd) {
  const store = memoryStore();
  const host = createHost({ store });
  const calls = [
    { name: "Read", input: { file_path: join(cwd, "a.txt") } },
    { name: "Bash", input: { command: "echo x >> log.txt" } },
  ];
  const options = {
    cwd,
    model: scriptedModel([{ toolCalls: calls }, "end"]),
    canUseTool: () => ({ behavior: "allow" }),
  };
  let sessionId = "";
  for await (const message of host.query({ prompt: "Go.", options })) sessionId = message.session_id;
  const events = await store.read(sessionId);
  const last = events.findLastIndex(({ type, data }) => type === "tool.started" && data.name === "Bash");
  // Without the results that stand before it: both calls are open.
  const kept = events.slice(0, last + 1).filter(({ type }) => type !== "tool.finished");
  return kept.map((event, i) => ({ ...event, seq: i + 1 }));
}

/** Calls that wait in the inbox: one is approved, one rejected, about one nobody answers, and one waits still. */
async function inbox(cwd) {
  const store = memoryStore();
  const host = createHost({ store });
  const write = (name) => ({ name: "Write", input: { file_path: join(cwd, name), content: name } });
  const turns = [
    [{ toolCalls: [write("one"), write("two")] }, "Two were asked about."],
    [{ toolCalls: [write("late")] }, "Nobody answered."],
    [{ toolCalls: [write("open"), { name: "Read", input: { file_path: join(cwd, "a.txt") } }] }],
  ];
  const settings = [{}, { expiresInMs: 30 }, { onPending: "pause" }];
  const updatedInput = { ...write("one").input, content: "1" };
  const decide = {
    one: (id) => host.approvals.approve(id, { by: "ann", note: "But so.", updatedInput }),
    two: (id) => host.approvals.reject(id, { by: "bob", reason: "Not here." }),
  };
  let resume;
  for (const [i, steps] of turns.entries()) {
    const options = {
      ...{ cwd, model: scriptedModel(steps), approvals: { mode: "durable", ...settings[i] } },
      ...(resume === undefined ? {} : { resume }),
    };
    for await (const message of host.query({ prompt: "Go.", options })) {
      resume = message.session_id;
      if (message.subtype !== "approval_requested") continue;
      const { input } = await host.approvals.get(message.approval_id);
      await decide[input.content]?.(message.approval_id);
    }
  }
  return store.read(resume);
}

/** Messages behind a call that waits: one was taken back, one is heard with the next run, and two wait still. */
async function waiting(cwd) {
  const store = memoryStore();
  const host = createHost({ store });
  const write = (name) => ({ name: "Write", input: { file_path: join(cwd, name), content: name } });
  const turns = [[{ toolCalls: [write("one")] }], ["Heard.", { toolCalls: [write("two")] }]];
  const messages = [
    ["a", "b"],
    ["c", "d"],
  ];
  let resume;
  for (const [i, steps] of turns.entries()) {
    const options = { cwd, model: scriptedModel(steps), approvals: "durable", ...(resume ? { resume } : {}) };
    const client = host.client(options);
    await client.query(i === 0 ? "Go." : "Go on.");
    if (i === 1) await client.query("And write.");
    for await (const message of client.receiveMessages()) {
      resume = message.session_id;
      if (message.subtype === "approval_requested") break;
    }
    for (const uuid of messages[i]) {
      const priority = uuid === "c" ? "next" : "later";
      await client.query({
        type: "user",
        message: { role: "user", content: `Message ${uuid}.` },
        uuid,
        priority,
      });
    }
    if (i === 0) await client.cancelMessage("a");
    await client.close();
    for (const { id } of i === 0 ? await host.approvals.list({ status: "pending" }) : []) {
      await host.approvals.reject(id, { by: "ann" });
    }
  }
  return store.read(resume);
}

/** A history that was summed up twice, once with words about what matters, and goes on behind it. */
async function summedUp(cwd) {
  const store = memoryStore();
  const host = createHost({ store });
  writeFileSync(join(cwd, "a.txt"), "A line of some length that says nothing.\n".repeat(100));
  const read = call("Read", { file_path: join(cwd, "a.txt") });
  const model = scriptedModel([read, "Read.", "SUMMARY: a.txt was read.", read, "Again.", "SUMMARY: twice."]);
  const client = host.client({ model, cwd });
  let sessionId = "";
  for (const prompt of ["Read it.", "/compact the file counts", "Read it again.", "/compact"]) {
    await client.query(prompt);
    for await (const message of client.receiveResponse()) sessionId = message.session_id;
  }
  await client.close();
  return store.read(sessionId);
}

/** Timers of every kind: one is deleted, one fires, one comes again, and a Sleep is cut short by an interrupt. */
async function timers(cwd) {
  const store = memoryStore();
  const host = createHost({ store });
  const id = (request) => /timer_\w+/.exec(JSON.stringify(request.messages))?.[0];
  const model = scriptedModel([
    call("CronCreate", { cron: "0 9 * * 1-5", prompt: "Look at the mail.", timezone: "Europe/Berlin" }),
    (request) => call("CronDelete", { id: id(request) }),
    call("CronCreate", { cron: "*/15 * * * *", prompt: "Count.", timezone: "UTC" }),
    call("Sleep", { seconds: 1 }),
    call("ScheduleWakeup", { seconds: 1, prompt: "Look at the build." }),
    "All are set.",
    call("Sleep", { seconds: 3600 }),
    "Go on.",
  ]);
  const tools = ["CronCreate", "CronDelete", "ScheduleWakeup", "Sleep"];
  const client = host.client({ model, cwd, tools, allowedTools: tools });
  await client.query("Set them.");
  let sessionId = "";
  let sleeps = 0;
  for await (const message of client.receiveMessages()) {
    sessionId = message.session_id;
    if (message.subtype === "timer_set" && message.kind === "sleep") sleeps += 1;
    if (message.subtype === "timer_set" && sleeps === 2) await client.interrupt();
    if (message.type === "result" && message.woken === true) break;
  }
  await client.close();
  return store.read(sessionId);
}

for (const [name, make] of Object.entries({
  everything,
  "cut-short": cutShort,
  inbox,
  waiting,
  "summed-up": summedUp,
  timers,
})) {
  const file = join(folder, `${name}.jsonl`);
  if (existsSync(file)) {
    console.log(`${file} is there, and stays`);
    continue;
  }
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "castellan-pin-")));
  execFileSync("git", ["init", "--quiet"], { cwd });
  writeFileSync(join(cwd, "a.txt"), "one\n");
  const events = await make(cwd);
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  writeFileSync(file, lines.replaceAll(cwd, "{{cwd}}").replaceAll(tmpdir(), "{{tmp}}"));
  rmSync(cwd, { recursive: true, force: true });
  console.log(`${file}: ${events.length} events of ${new Set(events.map(({ type }) => type)).size} types`);
}
process.exit(0);
