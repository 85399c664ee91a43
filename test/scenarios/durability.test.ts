import { createHost, type HostOptions, tool } from "@castellan/sdk";
import { type AppendBatch, memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live, watchedStore } from "../kit/live.ts";

const ok = () => ({ content: [{ type: "text" as const, text: "ok" }] });

/** What a session of three calls appends: the last event of each batch, and whether it must outlast a power cut. */
async function appends(durability: HostOptions["durability"]) {
  const batches: AppendBatch[] = [];
  const store = watchedStore((batch) => void batches.push(batch));
  const read = tool("look", "Reads.", {}, ok, { annotations: { readOnlyHint: true } });
  const again = tool("again", "May be repeated.", {}, ok, { annotations: { idempotentHint: true } });
  const once = tool("once", "Must not run twice.", {}, ok);
  const calls = ["look", "again", "once"].map((name) => ({ toolCalls: [{ name }] }));
  const session = live(
    "go",
    {
      model: scriptedModel([...calls, "done"]),
      tools: [read, again, once],
      canUseTool: () => ({ behavior: "allow" }),
    },
    createHost({ store, ...(durability === undefined ? {} : { durability }) }),
  );
  await session.ended;
  expect(session.results()).toMatchObject([{ result: "done" }]);
  const told = (batch: AppendBatch) => {
    const last = batch.events.at(-1);
    return last?.type === "tool.started" ? `start of ${last.data.name}` : last?.type;
  };
  return batches.map((batch) => [told(batch), batch.sync === true]);
}

describe("durability", () => {
  it("process, which is the default: nothing waits for a flush", async () => {
    for (const durability of [undefined, "process"] as const) {
      expect(await appends(durability)).toEqual([
        ["start of once", false],
        ["result", false],
      ]);
    }
  });

  it("power: the start of what must not run twice and the end of a turn are flushed, and nothing else waits", async () => {
    expect(await appends("power")).toEqual([
      ["start of once", true],
      ["result", true],
    ]);
  });

  it("a call that must not run twice does not run before its start is flushed", async () => {
    let flushed = false;
    const store = watchedStore(async (batch) => {
      if (batch.sync !== true || flushed) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
      flushed = true;
    });
    const ran: boolean[] = [];
    const once = tool("once", "Must not run twice.", {}, () => {
      ran.push(flushed);
      return ok();
    });
    const model = scriptedModel([{ toolCalls: [{ name: "once" }] }, "done"]);
    const session = live(
      "go",
      { model, tools: [once], allowedTools: ["once"] },
      createHost({ store, durability: "power" }),
    );
    await session.ended;
    expect(ran).toEqual([true]);
  });

  it("another word is refused", () => {
    expect(() => createHost({ store: memoryStore(), durability: "disk" as never })).toThrow(/durability/);
  });
});
