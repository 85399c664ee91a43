import { readdirSync, readFileSync } from "node:fs";
import { createHost, createSdkMcpServer, tool } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live } from "../../kit/live.ts";
import { scratch } from "../../kit/session.ts";

const descriptors = (): number => readdirSync("/proc/self/fd").length;

/** Processes that this one has started, and theirs that came to it. */
function children(): string[] {
  return readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
}

describe.skipIf(process.platform !== "linux")("C255: a hundred queries, one behind the other", () => {
  it("leave no process, no open file and no warning of listeners", async () => {
    const warnings: string[] = [];
    const warned = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", warned);
    const host = createHost({ store: jsonlStore({ home: scratch() }) });
    const ping = tool("ping", "Answers.", {}, () => ({ content: [{ type: "text", text: "pong" }] }));
    const shop = createSdkMcpServer({ name: "shop", tools: [ping] });
    const cwd = scratch();
    const before = { files: 0, children: children() };
    for (let at = 0; at < 100; at += 1) {
      const calls = [
        { name: "mcp__shop__ping" },
        { name: "Bash", input: { command: "sleep 300 & echo begun" } },
      ];
      const model = scriptedModel([{ toolCalls: calls }, "done"]);
      const allowedTools = ["Bash", "mcp__shop__ping"];
      const session = live("go", { model, cwd, allowedTools, mcpServers: { shop } }, host);
      await session.ended;
      expect(session.results()).toMatchObject([{ result: "done" }]);
      // What the first one loads stays.
      if (at === 0) before.files = descriptors();
    }
    await host.close();
    for (let tries = 0; tries < 300 && children().length > before.children.length; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(children()).toEqual(before.children);
    expect(descriptors()).toBeLessThanOrEqual(before.files + 2);
    expect(warnings).toEqual([]);
    process.off("warning", warned);
    // A shell that leaves a child behind takes a third of a second to end.
  }, 120_000);
});
