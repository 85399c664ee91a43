import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { AbortError, type Target } from "../protocol/index.ts";
import { analyse } from "../shell/index.ts";
import { type ScratchWorkspace, scratchWorkspace } from "../workspace/test-kit.ts";
import { gatherTargets } from "./targets.ts";
import { makeTool } from "./test-kit.ts";
import { Cancelled } from "./waiting.ts";

let scratch: ScratchWorkspace;
beforeAll(async () => {
  scratch = await scratchWorkspace(nodePlatform());
});
afterAll(() => scratch.remove());

/** What is known of a call whose tool declares this, or does that. */
async function gathered(declare: unknown, signal: AbortSignal = new AbortController().signal) {
  const targets = (typeof declare === "function" ? declare : () => declare) as () => Target[];
  const context = { cwd: scratch.cwd, sessionId: "session", signal, services: {} };
  return gatherTargets(makeTool("send", { targets }), {}, context, scratch.workspace);
}

const analysis = analyse("ls");
const GOOD: Readonly<Record<string, unknown>> = {
  command: { kind: "command", analysis, command: 0 },
  path: { kind: "path", access: "read", path: "a" },
  host: { kind: "host", host: "example.com" },
  "a host that is not known": { kind: "host" },
  mcp: { kind: "mcp", server: "s", tool: "t" },
  agent: { kind: "agent", type: "helper" },
  name: { kind: "name", value: "x" },
};

describe("the targets of a call", () => {
  it.each(Object.entries(GOOD))("may be: %s", async (_, target) => {
    const found = await gathered([target]);
    expect(found).toMatchObject({ ok: true, targets: [target] });
  });

  it("are looked up on the disk, in their order", async () => {
    const found = await gathered([GOOD.name, GOOD.path, GOOD.agent]);
    expect(found.ok && found.targets.map(({ kind }) => kind)).toEqual(["name", "path", "agent"]);
    expect(found.ok && found.targets[1]).toMatchObject({ resolutions: [{ given: `${scratch.cwd}/a` }] });
  });

  it("may be none, which takes no look", async () => {
    expect(await gathered([], AbortSignal.abort())).toEqual({ ok: true, targets: [] });
  });

  it.each([["access: read"], ["write"], ["remove"], ["walk"], ["list"]])("may ask for %s", async (text) => {
    const access = text.replace("access: ", "");
    expect(await gathered([{ kind: "path", access, path: "a" }])).toMatchObject({ ok: true });
  });
});

describe("targets that are none", () => {
  it.each([[undefined], [null], ["path"], [{ 0: GOOD.path, length: 1 }]])(
    "are no list: %j",
    async (declared) => {
      expect(await gathered(declared)).toEqual({ ok: false, failed: "its targets are no list" });
    },
  );

  it.each([
    [null],
    [undefined],
    ["path"],
    [7],
    [{}],
    [{ kind: "file", path: "a" }],
    [{ kind: "__proto__" }],
    [{ kind: "command", command: 0 }],
    [{ kind: "command", analysis: null, command: 0 }],
    [{ kind: "command", analysis: "ls", command: 0 }],
    [{ kind: "command", analysis, command: "0" }],
    [{ kind: "command", analysis, command: 0.5 }],
    [{ kind: "path", access: "read" }],
    [{ kind: "path", access: "read", path: 7 }],
    [{ kind: "path", path: "a" }],
    [{ kind: "path", access: "open", path: "a" }],
    [{ kind: "host", host: 7 }],
    [{ kind: "host", host: null }],
    [{ kind: "mcp", server: "s" }],
    [{ kind: "mcp", tool: "t" }],
    [{ kind: "mcp", server: 1, tool: "t" }],
    [{ kind: "agent" }],
    [{ kind: "agent", type: null }],
    [{ kind: "name" }],
    [{ kind: "name", value: 7 }],
  ])("hold no target: %j", async (target) => {
    expect(await gathered([GOOD.name, target])).toEqual({ ok: false, failed: "its targets[1] is no target" });
    expect(await gathered([target])).toEqual({ ok: false, failed: "its targets[0] is no target" });
  });

  it("are not computed where the tool throws", async () => {
    const broken = () => {
      throw new Error("no luck");
    };
    const failed = "its targets could not be computed: no luck";
    expect(await gathered(broken)).toEqual({ ok: false, failed });
    expect(await gathered(broken, AbortSignal.abort())).toEqual({ ok: false, failed });
  });

  it("end the call only where the run itself was aborted", async () => {
    const aborts = () => {
      throw new AbortError("mine");
    };
    expect(await gathered(aborts)).toEqual({ ok: false, failed: "its targets could not be computed: mine" });
    await expect(gathered(aborts, AbortSignal.abort())).rejects.toBeInstanceOf(Cancelled);
    await expect(gathered([GOOD.path], AbortSignal.abort())).rejects.toBeInstanceOf(Cancelled);
    const late = () => {
      throw new Cancelled();
    };
    await expect(gathered(late)).rejects.toBeInstanceOf(Cancelled);
  });
});
