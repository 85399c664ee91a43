import { describe, expect, it } from "vitest";
import { nodePlatform } from "../../platform/index.ts";
import type { EventData } from "../../protocol/index.ts";
import { NO_USAGE } from "../../protocol/index.ts";
import { createSessionLog, memoryStore } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";
import { createMessageQueue } from "./message-queue.ts";
import { createTeller } from "./teller.ts";

const platform = nodePlatform();

function made(options: Pick<Options, "stderr" | "debug"> = {}) {
  const queue = createMessageQueue();
  const teller = createTeller(queue, platform, options, "s");
  const store = memoryStore();
  const log = createSessionLog({ platform, store, sessionId: "s", project: "/w", onEvent: teller.event });
  const configure = (): void => {
    log.record("session.started", { sessionId: "s", cwd: "/w", release: "0" });
    log.record("session.configured", {
      model: "m",
      mode: "default",
      tools: [],
      rules: [],
      additionalDirectories: [],
    });
  };
  async function told(): Promise<string[]> {
    const lines: string[] = [];
    while (queue.size() > 0) {
      const { value } = await queue.next();
      if (value?.type === "system")
        lines.push(value.subtype === "notification" ? value.message : value.subtype);
      else if (value !== undefined) lines.push(value.type);
    }
    return lines;
  }
  return { teller, log, configure, told };
}

const RESULT: EventData<"result"> = {
  subtype: "success",
  turns: 1,
  durationMs: 1,
  usage: NO_USAGE,
  modelUsage: {},
  costUsd: 0,
  denials: [],
  terminalReason: "completed",
};

describe("the teller", () => {
  it("tells the init message first, and behind it the notes from before", async () => {
    const { teller, configure, told } = made();
    teller.notify("warning", "early");
    expect(await told()).toEqual([]);
    configure();
    teller.notify("info", "later");
    expect(await told()).toEqual(["init", "early", "later"]);
  });

  it("holds a result until it is written, and drops it when it is not", async () => {
    const { teller, log, configure, told } = made();
    configure();
    await told();
    log.record("result", RESULT);
    expect(await told()).toEqual([]);
    teller.written();
    expect(await told()).toEqual(["result"]);
    log.record("result", RESULT);
    teller.failed();
    teller.written();
    expect(await told()).toEqual([]);
  });

  it("gives up waiting for the init message when the session cannot open", async () => {
    const { teller, told } = made();
    teller.notify("warning", "early");
    teller.failed();
    expect(await told()).toEqual(["early"]);
  });

  it("writes warnings to stderr, information and tools' own lines only with debug", () => {
    for (const debug of [false, true]) {
      const lines: string[] = [];
      const { teller } = made({ debug, stderr: (line) => lines.push(line) });
      teller.notify("info", "i");
      teller.notify("warning", "w");
      teller.notify("error", "e");
      teller.toolLog("debug", "d", "c1");
      teller.toolLog("warn", "tw", "c1");
      const most = ["info: i", "warning: w", "error: e", "debug: c1: d", "warn: c1: tw"];
      expect(lines).toEqual(debug ? most : ["warning: w", "error: e", "warn: c1: tw"]);
    }
  });

  it("survives a stderr that throws, and names progress by call", async () => {
    const { teller, configure, told } = made({
      stderr: () => {
        throw new Error("no terminal");
      },
    });
    configure();
    teller.notify("error", "e");
    teller.toolLog("error", "e", "c");
    teller.progress({ callId: "c", name: "t", progress: "half" });
    expect(await told()).toEqual(["init", "e", "tool_progress"]);
  });
});
