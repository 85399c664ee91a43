import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { setImmediate as breathe } from "node:timers/promises";
import { readMarker } from "../task.ts";
import { callAnswer, TEXT_END, TEXT_START, WORD } from "./answer.ts";

/**
 * The provider of the bench, a process of its own. It looks only at the newest marker of a request, so its cost grows
 * with the bytes alone and is the same for every engine. The parent gets the port; when it leaves, so does the server.
 */
const held = new Set<ServerResponse>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/release") {
      const count = held.size;
      for (const waiting of held) void sayWords(waiting, 1);
      held.clear();
      response.end(String(count));
      return;
    }
    const { row, rows, words, hold } = readMarker(Buffer.concat(chunks));
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
    });
    if (row < rows) response.end(callAnswer(row + 1));
    else if (hold) {
      held.add(response);
      response.write(TEXT_START);
    } else {
      response.write(TEXT_START);
      void sayWords(response, words);
    }
  });
});
server.keepAliveTimeout = 600_000;

/** One delta a turn of the event loop, as a provider sends them: each reaches the client by itself when it is fast enough. */
async function sayWords(response: ServerResponse, words: number): Promise<void> {
  for (let i = 0; i < words; i++) {
    response.write(WORD);
    await breathe();
  }
  response.end(TEXT_END);
}

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
