import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { type ScriptStep, scriptedModel } from "../model/index.ts";
import type { EventStore, SDKMessage } from "../protocol/index.ts";
import { memoryStore } from "../sessions/index.ts";
import { createHost, type Host, nodePlatform, type Platform } from "./index.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "castellan-host-"));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

async function read(host: Host, prompt: string, steps: readonly ScriptStep[], more: object = {}) {
  const messages: SDKMessage[] = [];
  const options = { model: scriptedModel(steps, { position: "history" }), cwd, ...more };
  for await (const message of host.query({ prompt, options })) messages.push(message);
  return messages.findLast((message) => message.type === "result");
}

describe("the store of a host", () => {
  function watched(): { store: EventStore; closed(): number } {
    let count = 0;
    const inner = memoryStore();
    const close = (): Promise<void> => {
      count += 1;
      return inner.close();
    };
    return { store: { ...inner, close }, closed: () => count };
  }

  it("that was given stays open when the host closes: another host goes on with it", async () => {
    const { store, closed } = watched();
    const first = createHost({ store });
    await read(first, "go", ["done"]);
    await first.close();
    expect(closed()).toBe(0);
    const second = createHost({ store });
    expect(await read(second, "again", ["one", "two"], { continue: true })).toMatchObject({
      subtype: "success",
    });
    await second.close();
    expect(await store.list()).toHaveLength(1);
  });

  it("that the host made is closed with it", async () => {
    const host = createHost({ platform: { env: { CASTELLAN_HOME: cwd } } });
    await read(host, "go", ["done"]);
    await host.close();
    await expect(host.store.list()).rejects.toThrow(/closed/);
  });
});

describe("an empty prompt", () => {
  it("goes on with the newest session, as it does with resume", async () => {
    const store = memoryStore();
    const host = createHost({ store });
    const failing = await read(host, "go", [{ error: "it broke" }]);
    expect(failing?.subtype).toBe("error_during_execution");
    expect(await read(host, "", ["done"], { continue: true })).toMatchObject({ result: "done" });
    await host.close();
  });

  it("says so where there is nothing to go on with", async () => {
    const host = createHost({ store: memoryStore() });
    expect(await read(host, "", ["done"], { continue: true })).toMatchObject({
      terminal_reason: "invalid_option",
      errors: [expect.stringContaining("nothing left to go on with")],
    });
    expect(() => host.query({ prompt: "" })).toThrow(/options\.resume or options\.continue/);
    await host.close();
  });
});

describe("the platform of a host", () => {
  it("takes every part of nodePlatform(), and the whole", async () => {
    expectTypeOf(nodePlatform()).toEqualTypeOf<Platform>();
    const whole: Platform = { ...nodePlatform(), homedir: () => cwd };
    for (const platform of [whole, ...Object.entries(whole).map(([key, part]) => ({ [key]: part }))]) {
      const host = createHost({ store: memoryStore(), platform });
      expect(await read(host, "go", ["done"], { platform })).toMatchObject({ subtype: "success" });
      await host.close();
    }
  });

  it.each(["host", "query"])("is what its sessions get their ids from, given to the %s", async (where) => {
    const made: string[] = [];
    const { ids } = nodePlatform();
    const uuid = (): string => {
      const id = ids.uuid();
      made.push(id);
      return id;
    };
    const platform = { ids: { ...ids, uuid } };
    const store = memoryStore();
    const host = createHost(where === "host" ? { store, platform } : { store });
    const result = await read(host, "go", ["done"], where === "query" ? { platform } : {});
    await host.close();
    expect(made).toContain(result?.session_id);
    expect(made).toContain(result?.uuid);
  });
});
