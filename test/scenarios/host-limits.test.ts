import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Options, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live, streaming } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

const bash = (command: string) => ({ name: "Bash", input: { command } });

/** Sessions that each run one command, which notes how many run beside it. */
function crowd(host: ReturnType<typeof createHost>, cwd: string, count: number) {
  return Array.from({ length: count }, (_, at) => {
    const command = `touch ${at}.runs; ls *.runs | wc -l >> most; sleep 0.05; rm ${at}.runs; touch ${at}.done`;
    const model = scriptedModel([{ toolCalls: [bash(command)] }, "done"]);
    return live("go", { model, cwd, allowedTools: ["Bash"] }, host);
  });
}

describe("limits of a host", () => {
  it("no more processes run at once than it says, over all sessions, and all of them run", async () => {
    for (const processes of [1, 3]) {
      const cwd = scratch();
      const host = createHost({ store: memoryStore(), limits: { processes } });
      const sessions = crowd(host, cwd, 6);
      await Promise.all(sessions.map(({ ended }) => ended));
      for (const session of sessions) assertComplete(session.messages);
      expect(readdirSync(cwd).filter((name) => name.endsWith(".done"))).toHaveLength(6);
      const most = Math.max(...readFileSync(join(cwd, "most"), "utf8").trim().split("\n").map(Number));
      expect(most).toBeLessThanOrEqual(processes);
    }
  });

  it("one that waits for its place is stopped at once, never begins, and the next one gets the place", async () => {
    const cwd = scratch();
    const host = createHost({ store: memoryStore(), limits: { processes: 1 } });
    const options: Options = { cwd, allowedTools: ["Bash"] };
    const session = (command: string) =>
      live("go", { ...options, model: scriptedModel([{ toolCalls: [bash(command)] }, "done"]) }, host);
    const first = session("touch begun; while [ ! -e go ]; do sleep 0.01; done");
    while (!existsSync(join(cwd, "begun"))) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = session("touch second");
    const third = session("touch third");
    await second.until((message) => message.type === "assistant");
    await third.until((message) => message.type === "assistant");
    await new Promise((resolve) => setTimeout(resolve, 30));
    await second.query.interrupt();
    await second.ended;
    assertComplete(second.messages);
    expect(second.results()).toMatchObject([{ terminal_reason: "interrupted" }]);
    writeFileSync(join(cwd, "go"), "");
    await Promise.all([first.ended, third.ended]);
    expect(["second", "third"].map((name) => existsSync(join(cwd, name)))).toEqual([false, true]);
  });

  it("calls inside calls need no place of their own: one process at a time is enough for any depth", async () => {
    const cwd = scratch();
    const deep = tool(
      ...(["deep", "Calls itself, and a command.", { level: "integer" }] as const),
      async ({ level }, context) => {
        await context.callTool("Bash", { command: `touch ${level}` });
        return level === 0
          ? { content: [{ type: "text", text: "ground" }] }
          : context.callTool("deep", { level: level - 1 });
      },
      { riskLevel: "low" },
    );
    const host = createHost({ store: memoryStore(), limits: { processes: 1, modelStreams: 1 } });
    const model = scriptedModel([{ toolCalls: [{ name: "deep", input: { level: 3 } }] }, "done"]);
    const options: Options = { model, cwd, tools: [deep, "Bash"], allowedTools: ["deep", "Bash"] };
    const session = live("go", options, host);
    await session.ended;
    expect(session.results()).toMatchObject([{ result: "done" }]);
    expect(readdirSync(cwd).sort()).toEqual(["0", "1", "2", "3"]);
  });

  it("no more answers stream at once than it says; a stop reaches who waits, and a slow reader holds no place", async () => {
    const host = createHost({ store: memoryStore(), limits: { modelStreams: 1 } });
    const door = gate();
    const first = live("go", { model: scriptedModel([() => door.wait().then(() => "one")]) }, host);
    await door.reached;
    const models = [scriptedModel(["two"]), scriptedModel(["three"])];
    const [second, third] = models.map((model) => live("go", { model }, host));
    await second?.until((message) => message.type === "system" && message.subtype === "init");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(models.map(({ requests }) => requests.length)).toEqual([0, 0]);
    await second?.query.interrupt();
    await second?.ended;
    expect(second?.results()).toMatchObject([{ terminal_reason: "interrupted" }]);
    door.open();
    await Promise.all([first.ended, third?.ended]);
    expect(third?.results()).toMatchObject([{ result: "three" }]);

    const flood = streaming(async function* () {
      for (let at = 0; at < 9_000; at += 1) yield { type: at % 2 === 0 ? "text" : "reasoning", delta: "x" };
      yield { type: "finish", stopReason: "end_turn" };
    });
    const reads = gate();
    const slow = live("go", { model: flood, includePartialMessages: true }, host, reads.wait());
    const other = live("go", { model: scriptedModel(["four"]) }, host);
    await other.ended;
    expect(other.results()).toMatchObject([{ result: "four" }]);
    reads.open();
    await slow.ended;
    expect(slow.results()).toMatchObject([{ subtype: "success" }]);
  });

  it.each([
    [{ processes: 0 }, /limits\.processes/],
    [{ modelStreams: 1.5 }, /limits\.modelStreams/],
    [{ logFiles: "many" }, /limits\.logFiles/],
    [{ proceses: 1 }, /processes/],
  ])("%j is refused by its name", (limits, text) => {
    expect(() => createHost({ limits: limits as never })).toThrow(text);
  });
});
