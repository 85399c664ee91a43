import { afterEach, describe, expect, it } from "vitest";
import type { GateKit, GateKitOptions } from "../gate/test-kit.ts";
import { gateKit, makeTool } from "../gate/test-kit.ts";
import type { EventData, HookCallback, ToolDefinition } from "../protocol/index.ts";
import type { RoundOutcome, SchedulerDeps } from "./index.ts";
import type { SchedulerKit } from "./test-kit.ts";
import { call, schedulerKit, textOf } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;

interface Ran extends SchedulerKit {
  readonly outcome: RoundOutcome;
  readonly side: GateKit;
  readonly first: EventData<"tool.finished"> | undefined;
}

async function ran(
  tools: readonly ToolDefinition[],
  gate: GateKitOptions = {},
  more: Partial<SchedulerDeps> = {},
): Promise<Ran> {
  const side = await gateKit({ tools, context: bypass, ...gate });
  kits.push(side);
  const kit = schedulerKit(side, more);
  const calls = tools.map((tool, i) => call(String(i + 1), tool.name, { n: i + 1 }));
  const outcome = await kit.scheduler.runRound(calls, "m", new AbortController().signal);
  return { ...kit, outcome, side, first: side.of("tool.finished").find((one) => one.callId === "1") };
}

const post = (callback: HookCallback): GateKitOptions => ({
  hooks: { PostToolUse: [{ hooks: [callback] }] },
});
const specific = (more: object): ReturnType<HookCallback> => ({
  hookSpecificOutput: { hookEventName: "PostToolUse", ...more },
});
const telling = (text: string, more: Partial<ToolDefinition> = {}): ToolDefinition =>
  makeTool("act", { call: () => ({ content: [{ type: "text", text }] }), ...more });

const brokenStore: SchedulerDeps["artifacts"] = {
  put: () => Promise.reject(new Error("disk full")),
  get: async () => undefined,
  delete: async () => false,
  list: async () => [],
};

describe("PostToolUse hooks", () => {
  it("see the call and what it gave", async () => {
    const seen: unknown[] = [];
    const note: HookCallback = (input) => {
      if (input.hook_event_name === "PostToolUse")
        seen.push(input.tool_name, input.tool_input, input.tool_response);
      return {};
    };
    await ran([telling("out")], post(note));
    const structured = makeTool("act", { call: () => ({ structuredContent: { a: 1 } }) });
    await ran([structured], post(note));
    expect(seen).toEqual(["act", { n: 1 }, "out", "act", { n: 1 }, { a: 1 }]);
  });

  it("do not fire for a failure or a refusal", async () => {
    const never: HookCallback = () => {
      throw new Error("fired");
    };
    const failing = makeTool("act", {
      call: () => ({ content: [{ type: "text", text: "no" }], isError: true }),
    });
    const kit = await ran([failing, makeTool("other")], { ...post(never), rules: { deny: ["other"] } });
    expect(kit.notes).toEqual([]);
    expect(kit.side.of("hook.ran")).toEqual([]);
  });

  it("replace the output, its structured form too", async () => {
    const secret = makeTool("act", {
      call: () => ({ content: [{ type: "text", text: "secret" }], structuredContent: { key: "secret" } }),
    });
    const kit = await ran(
      [secret],
      post(() => specific({ updatedToolOutput: "hidden" })),
    );
    expect(kit.first).toMatchObject({ content: [{ type: "text", text: "hidden" }], isError: false });
    expect(JSON.stringify(kit.side.events)).not.toContain("secret");

    const json = await ran(
      [telling("x")],
      post(() => specific({ updatedToolOutput: { a: 1 } })),
    );
    expect(json.first).toMatchObject({ content: [{ text: '{"a":1}' }], structured: { a: 1 } });

    const content = [{ type: "text", text: "blocks" }];
    const blocks = await ran(
      [telling("x")],
      post(() => specific({ updatedToolOutput: { content } })),
    );
    expect(textOf(blocks.first)).toBe("blocks");
  });

  it("add context beside that of PreToolUse, and objections to the result", async () => {
    const kit = await ran([telling("out")], {
      hooks: {
        PreToolUse: [
          {
            hooks: [
              () => ({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "before" } }),
            ],
          },
        ],
        PostToolUse: [
          { hooks: [() => specific({ additionalContext: "after" })] },
          { hooks: [() => ({ decision: "block", reason: "check the types" })] },
        ],
      },
    });
    expect(kit.first).toMatchObject({ context: ["before", "after"], isError: false });
    expect(textOf(kit.first)).toBe("out\nA PostToolUse hook objects: check the types");
    expect(kit.side.of("hook.ran").map((run) => run.event)).toEqual([
      "PreToolUse",
      "PostToolUse",
      "PostToolUse",
    ]);
  });

  it("end the run: the result stands, the calls behind it do not run", async () => {
    const other = makeTool("other");
    const kit = await ran(
      [telling("out"), other],
      post(() => ({ continue: false, stopReason: "enough" })),
    );
    expect(kit.outcome).toEqual({ stop: { reason: "enough" } });
    expect(textOf(kit.first)).toBe("out");
    expect(kit.side.of("tool.finished")[1]).toMatchObject({ callId: "2", outcome: "cancelled" });
    expect(other.ran).toEqual([]);
  });

  it("that fail are told and change nothing", async () => {
    const kit = await ran(
      [telling("out")],
      post(() => {
        throw new Error("broken");
      }),
    );
    expect(textOf(kit.first)).toBe("out");
    expect(kit.notes.join()).toMatch(/hooks.PostToolUse\[0\].hooks\[0\] failed: it threw: broken/);
  });
});

describe("PreToolUse hooks that end the run", () => {
  it("let neither this call nor the next run", async () => {
    const act = makeTool("act");
    const other = makeTool("other");
    const kit = await ran([act, other], {
      hooks: { PreToolUse: [{ matcher: "act", hooks: [() => ({ continue: false, stopReason: "enough" })] }] },
    });
    expect(kit.outcome).toEqual({ stop: { reason: "enough" } });
    expect(kit.side.of("tool.finished").map((one) => one.outcome)).toEqual(["denied", "cancelled"]);
    expect([...act.ran, ...other.ran]).toEqual([]);
  });
});

describe("a result over its limit", () => {
  const long = `${"a".repeat(3000)}${"b".repeat(3000)}`;

  it("keeps head and tail, says its size and what to do, and is stored whole", async () => {
    const kit = await ran([telling(long, { maxResultSizeChars: 1000 })]);
    const text = textOf(kit.first);
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toMatch(/^a{300,}\n\n\[\d+ of 6000 characters are left out here\./);
    expect(text).toMatch(/call act again for less at a time.*\]\n\nb{200,}$/s);
    const left = Number(/\[(\d+) of/.exec(text)?.[1]);
    expect(left + (text.match(/^a+/)?.[0].length ?? 0) + (text.match(/b+$/)?.[0].length ?? 0)).toBe(6000);
    const [artifact] = kit.first?.artifacts ?? [];
    expect(text).toContain(artifact?.id);
    expect(text).not.toContain(artifact?.hash);
    const bytes = await kit.artifacts.get(artifact?.hash ?? "");
    expect(new TextDecoder().decode(bytes)).toBe(long);
  });

  it("is left alone at the limit", async () => {
    const kit = await ran([telling("x".repeat(1000), { maxResultSizeChars: 1000 })]);
    expect(textOf(kit.first)).toBe("x".repeat(1000));
    expect(kit.first?.artifacts).toBeUndefined();
  });

  it("is never cut inside a character, nor lets more than 500,000 through", async () => {
    const faces = await ran([telling("😀".repeat(2000), { maxResultSizeChars: 901 })]);
    expect(textOf(faces.first)).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
    );
    const huge = await ran([telling("x".repeat(600_000), { maxResultSizeChars: Number.POSITIVE_INFINITY })]);
    expect(textOf(huge.first).length).toBeLessThanOrEqual(500_000);
  });

  it("survives a store that fails", async () => {
    const kit = await ran([telling(long, { maxResultSizeChars: 1000 })], {}, { artifacts: brokenStore });
    expect(textOf(kit.first)).toMatch(/characters are left out here\. To read/);
    expect(kit.notes.join()).toMatch(/could not be stored whole: disk full/);
  });
});

describe("a result that a hook puts in the place of another", () => {
  const withArtifact: ToolDefinition = makeTool("act", {
    call: async (_, context) => {
      const ref = await context.artifacts.put("secret", "text/plain");
      return { success: true, output: "made", artifacts: [ref] };
    },
  });

  it("takes the artifacts of the old one away", async () => {
    const plain = await ran([withArtifact]);
    expect(plain.first?.artifacts).toHaveLength(1);
    for (const updatedToolOutput of ["clean", { a: 1 }, { content: [{ type: "text", text: "clean" }] }]) {
      const kit = await ran(
        [withArtifact],
        post(() => specific({ updatedToolOutput })),
      );
      expect(kit.first?.outcome).toBe("finished");
      expect(kit.first).not.toHaveProperty("artifacts");
    }
  });

  it("names only artifacts that are stored", async () => {
    const ref = { id: "art_x", hash: "0".repeat(64), size: 1, mediaType: "text/plain" };
    const content = [{ type: "text", text: "see there" }];
    const kit = await ran(
      [withArtifact],
      post(() => specific({ updatedToolOutput: { content, artifacts: [ref] } })),
    );
    expect(kit.first).toMatchObject({ outcome: "failed", isError: true });
    expect(textOf(kit.first)).toContain("art_x (artifacts)");
  });

  it("has failed where it says so", async () => {
    const updatedToolOutput = { content: [{ type: "text", text: "no good" }], isError: true };
    const kit = await ran(
      [telling("fine")],
      post(() => specific({ updatedToolOutput })),
    );
    expect(kit.first).toMatchObject({ outcome: "failed", isError: true, content: [{ text: "no good" }] });
  });
});

describe("a structured result", () => {
  const reporting = (structuredContent: unknown): ToolDefinition =>
    makeTool("act", { call: () => ({ content: [{ type: "text", text: "x" }], structuredContent }) });

  it("of over 100,000 characters is an artifact, and nothing of it stands in the log", async () => {
    for (const long of [{ a: "long".repeat(25_000) }, Array.from({ length: 50_001 }, () => 7), { long: 1 }]) {
      const isLong = JSON.stringify(long).length > 100_000;
      const kit = await ran([reporting(long)]);
      const [artifact] = kit.first?.artifacts ?? [];
      expect(kit.first?.structured).toEqual(isLong ? undefined : long);
      expect(kit.notes).toEqual(isLong ? [expect.stringContaining(`as artifact ${artifact?.id}`)] : []);
      if (!isLong) continue;
      expect(JSON.stringify(kit.side.events).length).toBeLessThan(2_000);
      const bytes = await kit.artifacts.get(artifact?.hash ?? "");
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(long);
    }
  });

  it("that is too long for a store that fails is lost, which is told; the call stands", async () => {
    const kit = await ran([reporting({ a: "x".repeat(100_001) })], {}, { artifacts: brokenStore });
    expect(kit.first).toMatchObject({ outcome: "finished", content: [{ text: "x" }] });
    expect(kit.first).not.toHaveProperty("structured");
    expect(kit.notes.join()).toMatch(/structured result of act .* is lost: disk full/);
  });
});

describe("sound and blobs", () => {
  it("are stored and named; images stay", async () => {
    const data = btoa("sound");
    const tool = makeTool("act", {
      call: () => ({
        content: [
          { type: "text", text: "here" },
          { type: "audio", data, mimeType: "audio/mpeg" },
          { type: "image", data: btoa("picture"), mimeType: "image/png" },
          { type: "resource", resource: { uri: "file:///a.bin", blob: data } },
        ],
      }),
    });
    const kit = await ran([tool]);
    const [sound, blob] = kit.first?.artifacts ?? [];
    expect(kit.first?.content).toEqual([
      { type: "text", text: "here" },
      { type: "text", text: `[artifact ${sound?.id}: audio/mpeg, 5 bytes]` },
      expect.objectContaining({ type: "file", mediaType: "image/png" }),
      { type: "text", text: `[artifact ${blob?.id}: application/octet-stream, 5 bytes (file:///a.bin)]` },
    ]);
    const bytes = await kit.artifacts.get(sound?.hash ?? "");
    expect(new TextDecoder().decode(bytes)).toBe("sound");
  });
});
