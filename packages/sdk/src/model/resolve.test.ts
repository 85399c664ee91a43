import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { ModelPart } from "./port.ts";
import { resolveModel } from "./resolve.ts";
import { scriptedModel } from "./scripted.ts";

let cwd: string;
const files = {
  "list.json": '["from json"]',
  "default.mjs": 'export default ["from default"];',
  "turns.mjs": 'export const turns = [(request) => "turns " + request.messages.length];',
  "broken.json": '["x",',
  "object.json": '{"turns":[]}',
  "key.json": '["ok", {"toolCall": []}]',
  "none.mjs": "export const script = [];",
  "throws.mjs": 'throw new Error("at load");',
  "script.txt": "[]",
};
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "castellan-model-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

function resolve(value: unknown, env: Record<string, string> = {}) {
  return resolveModel(value, { platform: { ...nodePlatform(), env }, cwd });
}

async function firstText(value: unknown, env?: Record<string, string>): Promise<string> {
  const model = await resolve(value, env);
  const asked = { system: [], tools: [], builtinTools: 0, messages: [], tail: [] };
  const deltas: string[] = [];
  const stream: AsyncIterable<ModelPart> = model.stream(asked, { signal: new AbortController().signal });
  for await (const part of stream) if (part.type === "text") deltas.push(part.delta);
  return deltas.join("");
}

const invalid = (message: RegExp) => ({ code: "invalid_model", message: expect.stringMatching(message) });

describe("resolveModel", () => {
  it("gives an object of our port back as it is", async () => {
    const model = scriptedModel(["x"]);
    expect(await resolve(model)).toBe(model);
  });

  it("loads a script, and names it so that any directory finds it", async () => {
    expect(await firstText("scripted:list.json")).toBe("from json");
    expect(await firstText("scripted:./default.mjs")).toBe("from default");
    expect(await firstText(`scripted:${join(cwd, "turns.mjs")}`)).toBe("turns 0");
    const { id } = await resolve("scripted:list.json");
    expect(id).toBe(`scripted:${join(cwd, "list.json")}`);
    expect(await resolveModel(id, { platform: nodePlatform(), cwd: "/" })).toMatchObject({ id });
  });

  it("goes on in a script where the history stands", async () => {
    const model = await resolve("scripted:list.json");
    const messages = [{ role: "assistant", id: "m", parts: [] }] as const;
    const asked = { system: [], tools: [], builtinTools: 0, messages, tail: [] };
    const stream = model.stream(asked, { signal: new AbortController().signal });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "script_exhausted" });
  });

  it("takes nothing and auto from the environment", async () => {
    for (const value of [undefined, "auto"]) {
      expect(await firstText(value, { CASTELLAN_MODEL: "scripted:list.json" })).toBe("from json");
      for (const name of ["", "auto"]) {
        const failure = invalid(/^No model is given\..*option `model`.*CASTELLAN_MODEL/);
        await expect(resolve(value, { CASTELLAN_MODEL: name })).rejects.toMatchObject(failure);
      }
    }
    await expect(resolve(undefined, { CASTELLAN_MODEL: "nonsense" })).rejects.toMatchObject(
      invalid(/^CASTELLAN_MODEL is "nonsense".*scripted:<file>/),
    );
  });

  it.each<[unknown, RegExp]>([
    [
      "nonsense/claude",
      /`model` is "nonsense\/claude", which names no model.*`provider\/model`.*scripted:<file>/,
    ],
    ["anthropic/", /names no model/],
    ["", /`model` is ""/],
    ["scripted:", /without a file/],
    [null, /lacks `id` .*`provider` .*`stream/],
    [7, /is no model/],
    [{ id: "x", provider: "y" }, /lacks `stream/],
    [{ id: "", provider: "y", stream() {} }, /lacks `id` \(a text\)\./],
    [{ id: "x", provider: "y", stream() {}, stallMs: 0 }, /stallMs` is 0; it must be .* above 0/],
    [{ id: "x", provider: "y", stream() {}, stallMs: Number.NaN }, /stallMs` is NaN/],
    [{ specificationVersion: "v3", doStream() {} }, /AI SDK model/],
    ["scripted:missing.json", /script .*missing\.json: it cannot be read: ENOENT/],
    ["scripted:missing.mjs", /missing\.mjs: it cannot be read: ENOENT/],
    ["scripted:broken.json", /broken\.json: it is not JSON/],
    ["scripted:object.json", /object\.json: a script is a list of turns, this is an object/],
    ["scripted:key.json", /key\.json, turn 2: "toolCall" is no key here/],
    ["scripted:none.mjs", /none\.mjs: the module exports neither/],
    ["scripted:throws.mjs", /throws\.mjs: the module cannot be loaded: at load/],
    ["scripted:script.txt", /script\.txt: it is neither/],
  ])("refuses %j", async (value, message) => {
    await expect(resolve(value)).rejects.toMatchObject(invalid(message));
  });
});
