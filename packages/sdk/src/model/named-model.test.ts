import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { type Auth, accessToken, accessTokenFromEnv, apiKey, apiKeyFromEnv } from "./auth.ts";
import type { LanguageModel } from "./port.ts";
import { resolveModel } from "./resolve.ts";
import { ask, closeAll, loopback, request, user } from "./wire/test-kit.ts";

afterEach(closeAll);

type Env = Readonly<Record<string, string>>;

function resolve(value: unknown, env: Env = {}, auth?: Auth): Promise<LanguageModel> {
  return resolveModel(value, { platform: nodePlatform(), cwd: "/", env, auth });
}

/** Where a model's request goes and what it carries, seen by a platform without a network. */
async function posted(value: unknown, env: Env = {}, auth?: Auth) {
  let seen: { url: string; headers: Readonly<Record<string, string>>; body: string } | undefined;
  const http = {
    request(sent: { url: string; headers: Readonly<Record<string, string>>; body?: unknown }) {
      const body = Buffer.concat(sent.body as Uint8Array[]).toString();
      seen = { url: sent.url, headers: sent.headers, body };
      return Promise.reject(new Error("no network here"));
    },
    close() {},
  };
  const platform = { ...nodePlatform(), http };
  const model = await resolveModel(value, { platform, cwd: "/", env, auth });
  await ask(model, request([user("x")])).catch(() => {});
  const { authorization, "x-api-key": key } = seen?.headers ?? {};
  return { id: model.id, url: seen?.url, key: key ?? authorization, body: seen?.body ?? "" };
}

const ALL = { ANTHROPIC_API_KEY: "ka", OPENAI_API_KEY: "ko", OPENROUTER_API_KEY: "kr" };
const ANTHROPIC = "https://api.anthropic.com/v1/messages";
const CHAT = "https://api.openai.com/v1/chat/completions";
const RESPONSES = "https://api.openai.com/v1/responses";

describe("the name of a model", () => {
  it.each<[unknown, Env, { id?: string; url: string; key?: string }]>([
    ["anthropic/claude-x", ALL, { id: "anthropic/claude-x", url: ANTHROPIC, key: "ka" }],
    ["claude-opus-4-5", ALL, { id: "anthropic/claude-opus-4-5", url: ANTHROPIC }],
    ["opus", ALL, { id: "anthropic/claude-opus-5-5", url: ANTHROPIC }],
    ["sonnet", ALL, { id: "anthropic/claude-sonnet-5-5", url: ANTHROPIC }],
    ["haiku", ALL, { id: "anthropic/claude-haiku-5-5", url: ANTHROPIC }],
    ["openai/gpt-4.1", ALL, { id: "openai/gpt-4.1", url: CHAT, key: "Bearer ko" }],
    ["gpt-5.4-mini", ALL, { id: "openai/gpt-5.4-mini", url: RESPONSES }],
    ["gpt-6.1-sol", ALL, { id: "openai/gpt-6.1-sol", url: RESPONSES }],
    ["o3", ALL, { id: "openai/o3", url: RESPONSES }],
    ["gpt-5-chat-latest", ALL, { url: CHAT }],
    ["openai-chat/gpt-5.4", ALL, { id: "openai-chat/gpt-5.4", url: CHAT }],
    ["openai-responses/gpt-4.1", ALL, { url: RESPONSES }],
    [
      "openrouter/z-ai/glm-5",
      ALL,
      { url: "https://openrouter.ai/api/v1/chat/completions", key: "Bearer kr" },
    ],
    ["ollama/llama3:8b", {}, { url: "http://127.0.0.1:11434/v1/chat/completions" }],
    ["vllm/org/model", {}, { url: "http://127.0.0.1:8000/v1/chat/completions" }],
    ["llamacpp/any", {}, { url: "http://127.0.0.1:8080/v1/chat/completions" }],
    [
      "lmstudio/any",
      { LMSTUDIO_API_KEY: "kl" },
      { url: "http://127.0.0.1:1234/v1/chat/completions", key: "Bearer kl" },
    ],
    [
      "http://box:9/v1#my/model",
      ALL,
      { id: "http://box:9/v1#my/model", url: "http://box:9/v1/chat/completions" },
    ],
    ["https://gate.example/api/#m", {}, { url: "https://gate.example/api/chat/completions" }],
    ["https://gate.example/v1/messages#m", {}, { url: "https://gate.example/v1/messages" }],
    [
      { baseURL: "https://gate.example/v1", model: "m", api: "openai-responses" },
      {},
      { url: "https://gate.example/v1/responses" },
    ],
    [
      "https://gate.example/v1/?api-version=1#m",
      {},
      {
        id: "https://gate.example/v1/?api-version=1#m",
        url: "https://gate.example/v1/chat/completions?api-version=1",
      },
    ],
    ["https://gate.example/v1/messages?x=1#m", {}, { url: "https://gate.example/v1/messages?x=1" }],
    ["https://api.openai.com/v1#gpt-4.1", ALL, { url: CHAT, key: "Bearer ko" }],
    [
      "anthropic/x",
      { ...ALL, ANTHROPIC_BASE_URL: "https://proxy.example/a/" },
      { url: "https://proxy.example/a/v1/messages", key: "ka" },
    ],
    [
      "anthropic/x",
      { ...ALL, ANTHROPIC_BASE_URL: "https://proxy.example/v1" },
      { url: "https://proxy.example/v1/messages" },
    ],
    [
      "openai/gpt-5",
      { ...ALL, OPENAI_BASE_URL: "https://proxy.example/v1" },
      { url: "https://proxy.example/v1/chat/completions" },
    ],
    ["anthropic/x", { ANTHROPIC_AUTH_TOKEN: "tok" }, { url: ANTHROPIC, key: "Bearer tok" }],
    ["ollama/m", { OLLAMA_HOST: "0.0.0.0" }, { url: "http://127.0.0.1:11434/v1/chat/completions" }],
    ["ollama/m", { OLLAMA_HOST: "box:99" }, { url: "http://box:99/v1/chat/completions" }],
    ["ollama/m", { OLLAMA_HOST: ":99" }, { url: "http://127.0.0.1:99/v1/chat/completions" }],
    ["ollama/m", { OLLAMA_HOST: "https://o.example" }, { url: "https://o.example/v1/chat/completions" }],
    ["auto", ALL, { id: "anthropic/claude-sonnet-5-5", url: ANTHROPIC }],
    [undefined, { OPENAI_API_KEY: "ko" }, { id: "openai/gpt-5.5", url: RESPONSES }],
    [
      undefined,
      { OPENROUTER_API_KEY: "kr" },
      { id: "openrouter/anthropic/claude-sonnet-5.5", url: "https://openrouter.ai/api/v1/chat/completions" },
    ],
    [undefined, { ...ALL, CASTELLAN_MODEL: "o3" }, { id: "openai/o3", url: RESPONSES }],
  ])("%j with %j", async (value, env, expected) => {
    expect(await posted(value, env)).toMatchObject(expected);
  });

  it("sends the key of a provider to no other address", async () => {
    for (const value of ["http://box:9/v1#gpt-4.1", "ollama/x", "http://api.openai.com/v1#m"]) {
      expect((await posted(value, ALL)).key).toBeUndefined();
    }
  });

  it.each<[string, Auth, string | undefined]>([
    ["anthropic/x", apiKey("mine"), "mine"],
    ["anthropic/x", apiKeyFromEnv("OWN"), "own"],
    ["anthropic/x", accessToken("tok"), "Bearer tok"],
    ["openai/gpt-4.1", accessTokenFromEnv("OWN"), "Bearer own"],
    ["http://box:9/v1#m", apiKey("mine"), "Bearer mine"],
  ])("%s takes the option auth", async (name, auth, key) => {
    expect((await posted(name, { ...ALL, OWN: "own" }, auth)).key).toBe(key);
  });

  it.each<[unknown, Env, Auth | undefined, string, RegExp]>([
    ["anthropic/x", {}, undefined, "missing_key", /ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN/],
    ["opus", { ANTHROPIC_API_KEY: "  " }, undefined, "missing_key", /ANTHROPIC_API_KEY/],
    ["openai/gpt-4.1", {}, undefined, "missing_key", /OPENAI_API_KEY/],
    ["openrouter/x", {}, undefined, "missing_key", /OPENROUTER_API_KEY/],
    ["https://api.anthropic.com/v1/messages#x", {}, undefined, "missing_key", /ANTHROPIC_API_KEY/],
    ["anthropic/x", ALL, apiKeyFromEnv("MINE"), "missing_key", /Set MINE/],
    ["anthropic/x", ALL, apiKey(""), "missing_key", /option `auth` holds an empty key/],
    [
      undefined,
      {},
      undefined,
      "invalid_model",
      /ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, OPENAI_API_KEY, OPENROUTER_API_KEY/,
    ],
    ["openai/x", { OPENAI_API_KEY: "sk-a\nb" }, undefined, "invalid_option", /OPENAI_API_KEY holds a space/],
    [
      "anthropic/x",
      { ...ALL, ANTHROPIC_BASE_URL: "ftp://x" },
      undefined,
      "invalid_option",
      /ANTHROPIC_BASE_URL holds "ftp/,
    ],
    ["http://u:secret@box/v1#m", {}, undefined, "invalid_model", /user name or a password/],
    ["http://box/v1", {}, undefined, "invalid_model", /without the name of a model/],
    ["http://box/v1#", {}, undefined, "invalid_model", /without the name of a model/],
    [{ baseURL: "nowhere", model: "m" }, {}, undefined, "invalid_model", /no http or https address/],
    [{ baseURL: "http://box", model: "m", api: "soap" }, {}, undefined, "invalid_model", /"soap"/],
    ["constructor/x", ALL, undefined, "invalid_model", /names no model/],
  ])("%j is refused with %j before anything is sent", async (value, env, auth, code, message) => {
    const failure = await resolve(value, env, auth).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(failure?.message).not.toMatch(/sk-a|secret/);
  });

  it("needs no key for a provider's format on this machine", async () => {
    const server = await loopback([{ text: "hi" }]);
    const model = await resolve("anthropic/x", { ANTHROPIC_BASE_URL: server.url });
    expect((await ask(model, request([user("x")]))).message.parts).toEqual([{ type: "text", text: "hi" }]);
  });

  it("keeps keys out of all that can be printed", async () => {
    const key = "sk-very-secret-key";
    const server = await loopback(["x"], { key: "another" });
    const models = [
      await resolve("anthropic/x", { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: key }),
      await resolve("openai-chat/x", { OPENAI_BASE_URL: server.baseURL }, apiKey(key)),
    ];
    for (const model of models) {
      const error = await ask(model, request([user("x")])).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ kind: "auth", status: 401 });
      for (const value of [model, error, apiKey(key)]) {
        expect(inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value)).not.toContain(key);
      }
    }
  });

  it("gives one limit key to the models of one address and key", async () => {
    const limitKey = async (name: string, env: Env) => (await resolve(name, env)).limitKey;
    const one = await limitKey("anthropic/a", ALL);
    expect(await limitKey("anthropic/b", ALL)).toBe(one);
    expect(await limitKey("anthropic/a", { ANTHROPIC_API_KEY: "other" })).not.toBe(one);
    expect(await limitKey("anthropic/a", { ...ALL, ANTHROPIC_BASE_URL: "https://x.example" })).not.toBe(one);
    expect(one).not.toContain("ka");
  });
});

describe("what OpenAI itself is told", () => {
  it("uses its newer names", async () => {
    const asked = { maxOutputTokens: 9, effort: "low" } as const;
    const bodies: string[] = [];
    const http = {
      request(sent: { body?: unknown }) {
        bodies.push(Buffer.concat(sent.body as Uint8Array[]).toString());
        return Promise.reject(new Error("no network here"));
      },
      close() {},
    };
    const platform = { ...nodePlatform(), http };
    for (const name of ["openai-chat/gpt-4.1", "openai-chat/gpt-5.4"]) {
      const model = await resolveModel(name, { platform, cwd: "/", env: ALL });
      await ask(model, request([user("x")], asked)).catch(() => {});
    }
    expect(bodies.map((body) => JSON.parse(body))).toMatchObject([
      { max_completion_tokens: 9 },
      { max_completion_tokens: 9, reasoning_effort: "low" },
    ]);
    expect(bodies[0]).not.toContain("reasoning_effort");
  });
});

describe("what an address may hide", () => {
  const SECRET = "sk-secret";
  const url = (query: string) => `https://gate.example/v1?${query}#m`;

  it.each([
    [`key=${SECRET}`, "key=***"],
    [`api-version=2&KEY=${SECRET}&x=`, "api-version=2&KEY=***&x=***"],
    [SECRET, "***"],
  ])("is sent, and not part of the name: ?%s", async (query, shown) => {
    for (const value of [url(query), { baseURL: url(query).slice(0, -2), model: "m" }]) {
      const { id, url: sent } = await posted(value);
      expect(id).toBe(`https://gate.example/v1?${shown}#m`);
      expect(sent).toBe(`https://gate.example/v1/chat/completions?${query}`);
    }
  });

  it("cannot be had from the name again", async () => {
    for (const query of ["key=***", "api-version=2&key=***", "***"]) {
      await expect(resolve(url(query))).rejects.toMatchObject({
        code: "invalid_model",
        message: expect.stringContaining("in place of what was hidden"),
      });
    }
  });

  it.each<[unknown, Env]>([
    [`htps://gate.example/v1?key=${SECRET}#m`, {}],
    [`htps://me:${SECRET}@gate.example/v1#m`, {}],
    [`https://me:${SECRET}@gate.example/v1#m`, {}],
    [`https://me:pass/${SECRET}@gate.example/v1#m`, {}],
    [`https://${SECRET}@gate.example/v1#m`, {}],
    [{ baseURL: `gate.example/v1?key=${SECRET}`, model: "m" }, {}],
    [{ baseURL: `me:${SECRET}@gate.example/v1`, model: "m" }, {}],
    ["openai-chat/m", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `gate.example?key=${SECRET}` }],
    ["openai-chat/m", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `https://me:${SECRET}@gate.example` }],
    [undefined, { CASTELLAN_MODEL: `htps://me:${SECRET}@gate.example/v1?key=${SECRET}#m` }],
  ])("stands in no error: %j with %j", async (value, env) => {
    const error: unknown = await resolve(value, env).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: expect.stringMatching(/^invalid_/) });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
  });

  it("stands in no failure of a request", async () => {
    const model = await resolve(`http://127.0.0.1:1/v1?key=${SECRET}#m`);
    const error: unknown = await ask(model, request([user("x")])).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
  });
});
