import { createHost, type Options, type SDKMessage, type SDKResultMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { clientOf } from "../../kit/client.ts";
import { scratch } from "../../kit/session.ts";
import { call } from "../../kit/timed.ts";

const OPEN: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
const background = (command: string) => call("Bash", { command, run_in_background: true });

/** Reads a session until it has had so many results. */
async function results(
  client: ReturnType<typeof clientOf>,
  count: number,
): Promise<{ readonly messages: SDKMessage[]; readonly ends: SDKResultMessage[] }> {
  const messages: SDKMessage[] = [];
  const ends: SDKResultMessage[] = [];
  for await (const message of client.receiveMessages()) {
    messages.push(message);
    if (message.type === "result") ends.push(message);
    if (ends.length === count) break;
  }
  return { messages, ends };
}

describe("a background command that ends", () => {
  it("begins a turn in a session that has nothing to do", async () => {
    const model = scriptedModel([background("sleep 0.3; echo built"), "started", "looked"]);
    const client = clientOf({ model, ...OPEN });
    await client.query("go");
    const { ends } = await results(client, 2);
    expect(ends).toMatchObject([{ result: "started" }, { result: "looked", woken: true, num_turns: 1 }]);
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toMatch(
      /\[Background command sh_\w+ \(sleep 0\.3; echo built\): completed, exit code 0\./,
    );
    await client.close();
  });

  it("ends a Sleep, and is heard in the same turn", async () => {
    const model = scriptedModel([background("sleep 0.3"), call("Sleep", { seconds: 3600 }), "on"]);
    const client = clientOf({ model, tools: ["Bash", "Sleep"], ...OPEN });
    await client.query("go");
    const { ends, messages } = await results(client, 1);
    expect(ends).toMatchObject([{ result: "on", num_turns: 3 }]);
    expect(JSON.stringify(messages)).toMatch(
      /Slept for \d s, and woke .* before the end: there is something/,
    );
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain("[Background command sh_");
    await client.close();
  });

  it("begins none where the model has ended it in its turn, and is not told of it again", async () => {
    const model = scriptedModel([
      background("sleep 60"),
      (request) => {
        const [id = ""] = /sh_\w+/.exec(JSON.stringify(request.messages.at(-1))) ?? [];
        return { toolCalls: [{ name: "KillShell", input: { shell_id: id } }] };
      },
      "ended",
      "later",
    ]);
    const client = clientOf({ model, ...OPEN });
    await client.query("go");
    expect((await results(client, 1)).ends).toMatchObject([{ result: "ended" }]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(model.requests).toHaveLength(3);
    await client.query("and?");
    expect((await results(client, 1)).ends).toMatchObject([{ result: "later" }]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain("[Background command");
    await client.close();
  });

  it("begins none while a call waits for an approval, and is heard once that is over", async () => {
    const host = createHost({ store: memoryStore() });
    const write = call("Write", { file_path: "made", content: "x" });
    const model = scriptedModel([background("sleep 0.2"), write, "written"]);
    const client = clientOf(
      {
        ...{ model, cwd: scratch(), tools: ["Bash", "Write"], allowedTools: ["Bash"] },
        approvals: { mode: "durable", onPending: "pause" },
      },
      host,
    );
    await client.query("go");
    expect((await results(client, 1)).ends).toMatchObject([{ subtype: "paused" }]);
    while ((await client.backgroundTasks())[0]?.status === "running")
      await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [pending] = await client.pendingApprovals();
    await host.approvals.approve(pending?.id ?? "");
    await client.query("go on");
    expect((await results(client, 1)).ends).toMatchObject([{ result: "written" }]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("[Background command sh_");
    expect(model.requests).toHaveLength(3);
    await client.close();
    await host.close();
  });

  it("begins none where a person or the model has ended it", async () => {
    const model = scriptedModel([background("sleep 60"), "started", "later"]);
    const client = clientOf({ model, ...OPEN });
    await client.query("go");
    await results(client, 1);
    const [task] = await client.backgroundTasks();
    await client.stopTask(task?.id ?? "");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(model.requests).toHaveLength(2);
    await client.query("and?");
    const { ends } = await results(client, 1);
    expect(ends[0]).toMatchObject({ result: "later" });
    expect(ends[0]).not.toHaveProperty("woken");
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("stopped");
    await client.close();
  });
});
