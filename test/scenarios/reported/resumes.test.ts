import { createHost, type Options, type PermissionMode } from "@castellan/sdk";
import { memoryStore, type SessionEvent } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { live } from "../../kit/live.ts";
import { scratch } from "../../kit/session.ts";
import { refusals } from "../../kit/wire-check.ts";

describe("C104: a result whose call is not in the log", () => {
  it("is left out of the history; the texts around it stay, and the request is valid", async () => {
    const first = memoryStore();
    const cwd = scratch();
    const model = scriptedModel([{ text: "I look.", toolCalls: [{ name: "LS" }] }, "one"]);
    const session = live("look around", { model, cwd, tools: ["LS"] }, createHost({ store: first }));
    await session.ended;
    const id = session.messages[0]?.session_id ?? "";
    const events = await first.read(id);
    const at = events.findIndex(({ type }) => type === "model.completed");
    const rest = [...events.slice(0, at), ...events.slice(at + 1)];
    const cut = rest.map((event, index) => ({ ...event, seq: index + 1 }) as SessionEvent);
    const store = memoryStore();
    await store.append([{ sessionId: id, project: cwd, expectedSeq: 0, batchId: "b", events: cut }]);
    const next = scriptedModel(["two"]);
    const again = live("and now?", { model: next, resume: id, cwd }, createHost({ store }));
    await again.ended;
    expect(again.results()).toMatchObject([{ result: "two" }]);
    const [request] = next.requests;
    expect(request?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(JSON.stringify(request?.messages)).toMatch(/look around.*one.*and now/);
    if (request !== undefined) expect(await refusals(request)).toEqual([]);
  });
});

describe("C167: the mode of a session that is resumed", () => {
  const danger = { allowDangerouslySkipPermissions: true };

  async function modeAfter(before: Options, after: Options): Promise<PermissionMode | undefined> {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const first = live("go", { model: scriptedModel(["one"]), cwd, ...before }, host);
    await first.ended;
    const resume = first.messages[0]?.session_id ?? "";
    const second = live("more", { model: scriptedModel(["two"]), resume, cwd, ...after }, host);
    await second.ended;
    const init = second.messages.find((each) => each.type === "system" && each.subtype === "init");
    return init?.type === "system" && init.subtype === "init" ? init.permissionMode : undefined;
  }

  it.each<readonly [string, Options, Options, PermissionMode]>([
    ["an option wins", { permissionMode: "plan" }, { permissionMode: "acceptEdits" }, "acceptEdits"],
    [
      "an option wins over bypass",
      { permissionMode: "bypassPermissions", ...danger },
      { permissionMode: "plan" },
      "plan",
    ],
    ["without one it is the session's own", { permissionMode: "dontAsk" }, {}, "dontAsk"],
    ["a stored bypass is not given back", { permissionMode: "bypassPermissions", ...danger }, {}, "default"],
    [
      "nor where settings name a mode",
      { permissionMode: "bypassPermissions", ...danger },
      { settings: { permissions: { defaultMode: "plan" } } },
      "plan",
    ],
  ])("%s", async (_, before, after, mode) => {
    expect(await modeAfter(before, after)).toBe(mode);
  });
});
