import { writeFileSync } from "node:fs";
import { createHost, type SessionEvent, tool } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { describe, expect, it } from "vitest";
import { play } from "../kit/played.ts";
import { scratch } from "../kit/session.ts";

const SECRET = "sk-0123456789abcdefghij";
const redact = (event: SessionEvent): SessionEvent =>
  JSON.parse(JSON.stringify(event).replaceAll(/sk-[a-z0-9]{20}/g, "[the key]"));

const binary = Uint8Array.of(0xff, 0xfe, ...new TextEncoder().encode(SECRET));
const talker = tool("talker", "Says a lot.", {}, async (_, { artifacts }) => ({
  content: [{ type: "text", text: `${"word ".repeat(20_000)}${SECRET}${" word".repeat(20_000)}` }],
  structuredContent: { parts: Array.from({ length: 20_000 }, () => SECRET) },
  artifacts: [await artifacts.put(`a ${SECRET} b`, "text/plain"), await artifacts.put(binary, "image/x-own")],
}));
const command = `yes 'tok ${SECRET}' | head -n 20000`;

describe("a redactor", () => {
  it("reaches what results leave in the artifact store, and what is exported", async () => {
    const store = jsonlStore({ home: scratch() });
    const host = createHost({ store, redact });
    const { sessionId, result } = await play(
      host,
      [{ toolCalls: [{ name: "talker" }, { name: "Bash", input: { command } }] }, "done"],
      { tools: [talker, "Bash"], allowedTools: ["talker", "Bash"] },
    );
    expect(result.result).toBe("done");
    const texts = new Map<string, string>();
    for (const hash of await store.artifacts.list()) {
      texts.set(hash, new TextDecoder("latin1").decode(await store.artifacts.get(hash)));
    }
    // The result, its structure, the text and the bytes that the tool stored, the output of the command.
    expect(texts.size).toBe(5);
    const raw = [...texts.values()].filter((text) => text.includes(SECRET));
    // Bytes that are no text are the tool's affair.
    expect(raw).toEqual([new TextDecoder("latin1").decode(binary)]);
    const kept = [...texts.values()].filter((text) => text.includes("[the key]"));
    expect(kept.length).toBe(4);
    const events = JSON.stringify(await store.read(sessionId));
    expect(events).not.toContain(SECRET);
    for (const [hash, text] of texts) expect(events).toContain(`"hash":"${hash}","size":${text.length}`);
    const lines: string[] = [];
    for await (const line of host.sessions.export(sessionId)) lines.push(line);
    const blobs = lines.flatMap((line) => {
      const { artifact } = JSON.parse(line);
      return artifact === undefined ? [] : [Buffer.from(artifact.base64, "base64").toString("latin1")];
    });
    expect(blobs.length).toBe(5);
    expect(blobs.filter((blob) => blob.includes(SECRET)).length).toBe(1);
    await host.close();
  });

  it("that fails keeps the text out of the store as well", async () => {
    const store = jsonlStore({ home: scratch() });
    const failing = (event: SessionEvent): SessionEvent => {
      if (JSON.stringify(event).includes(SECRET)) throw new Error("no");
      return event;
    };
    const host = createHost({ store, redact: failing });
    const { result } = await play(host, [{ toolCalls: [{ name: "Bash", input: { command } }] }, "done"], {
      allowedTools: ["Bash"],
    });
    expect(result.errors?.[0]).toMatch(/redactor threw/);
    expect(await store.artifacts.list()).toEqual([]);
    await host.close();
  });

  it("leaves the baselines of files whole: a rewind brings back what was there", async () => {
    const store = jsonlStore({ home: scratch() });
    const host = createHost({ store, redact });
    const cwd = scratch();
    writeFileSync(`${cwd}/key.txt`, SECRET);
    await play(
      host,
      [
        { toolCalls: [{ name: "Read", input: { file_path: "key.txt" } }] },
        { toolCalls: [{ name: "Write", input: { file_path: "key.txt", content: "none" } }] },
        "done",
      ],
      { cwd, allowedTools: ["Write", "Read"], enableFileCheckpointing: true },
    );
    const blobs: string[] = [];
    for (const hash of await store.artifacts.list())
      blobs.push(String(Buffer.from((await store.artifacts.get(hash)) ?? [])));
    expect(blobs).toContain(SECRET);
    await host.close();
  });
});
