import { describe, expect, it } from "vitest";
import { request, user } from "../model/wire/test-kit.ts";
import { fromAiSdk } from "./index.ts";
import { urlRule } from "./supported-urls.ts";
import { type Call, handMade, outcome } from "./test-kit.ts";

const SUPPORTED = {
  "image/*": [/^https:\/\/pictures\.example\//],
  "image/gif": [/^https:\/\/moving\.example\//],
  "application/pdf": [/^http:\/\/papers\.example\//, /\.pdf$/g],
  "text/plain": "https://texts.example/",
};
const model = (supportedUrls: unknown, onCall?: (call: Call) => void) => ({
  ...handMade("v3", [], { ...(onCall && { onCall }) }),
  supportedUrls,
});

describe("the addresses that a model fetches itself", () => {
  it.each<[mediaType: string, url: string, boolean]>([
    ["image/png", "https://pictures.example/a.png", true],
    ["image/*", "https://pictures.example/a", true],
    ["image/png", "https://elsewhere.example/?https://pictures.example/", false],
    ["image/gif", "https://moving.example/a.gif", true],
    ["image/png", "https://moving.example/a.png", false],
    ["imagery/png", "https://pictures.example/a.png", false],
    ["application/pdf", "http://papers.example/a", true],
    ["application/pdf", "https://elsewhere.example/a.pdf", true],
    ["application/pdf", "https://elsewhere.example/a.html", false],
    ["application/pdf", "https://pictures.example/a", false],
    ["audio/mpeg", "https://pictures.example/a.mp3", false],
    ["text/plain", "https://texts.example/", false],
  ])("%s at %s: %s", async (mediaType, url, takes) => {
    for (const given of [SUPPORTED, Promise.resolve(SUPPORTED)]) {
      const takesUrl = await urlRule(model(given));
      // Twice: a pattern may remember where it was.
      expect([takesUrl(mediaType, url), takesUrl(mediaType, url)]).toEqual([takes, takes]);
    }
  });

  it.each(["*", "*/*"])("of every type are those of %s", async (type) => {
    const takesUrl = await urlRule(model({ [type]: [/^https:/] }));
    expect(takesUrl("audio/mpeg", "https://a.example/")).toBe(true);
    expect(takesUrl("audio/mpeg", "http://a.example/")).toBe(false);
  });

  it.each([undefined, null, "https", {}, []])("are none where it says %j", async (given) => {
    const takesUrl = await urlRule(model(given));
    expect(takesUrl("image/png", "https://pictures.example/a.png")).toBe(false);
  });

  it("go as files, all others as text", async () => {
    const calls: Call[] = [];
    const file = (mediaType: string, url: string) =>
      ({ type: "file", mediaType, ref: { kind: "url", url } }) as const;
    const message = user(
      file("image/png", "https://pictures.example/a.png"),
      file("application/pdf", "http://papers.example/a"),
      file("image/png", "https://elsewhere.example/a.png"),
    );
    await outcome(fromAiSdk(model(SUPPORTED, (call) => calls.push(call))), request([message]));
    expect(calls[0].prompt.at(-1).content).toEqual([
      { type: "file", mediaType: "image/png", data: new URL("https://pictures.example/a.png") },
      { type: "file", mediaType: "application/pdf", data: new URL("http://papers.example/a") },
      { type: "text", text: "[file of type image/png: https://elsewhere.example/a.png]" },
    ]);
  });
});
