import type { ServerResponse } from "node:http";
import type { Fault, FormatBook } from "./script.ts";

/** Sends one answer, with what goes wrong with it. */
export async function sendAnswer(
  response: ServerResponse,
  events: readonly string[],
  fault: Fault | undefined,
  book: FormatBook,
): Promise<void> {
  switch (fault?.kind) {
    case "slowHeaders":
      return;
    case "status":
      response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
      response.end(
        fault.body ?? book.errorBody(fault.status, `The loopback server was told to answer ${fault.status}.`),
      );
      return;
    case "emptyBody":
      response.writeHead(200, { "content-type": "text/event-stream" }).end();
      return;
    case "htmlBody":
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end("<!DOCTYPE html><html><body><h1>Sign in to the network</h1></body></html>");
      return;
    case "reset":
      if (fault.afterEvents > 0) break;
      response.socket?.resetAndDestroy();
      return;
  }
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  response.flushHeaders();
  if (fault === undefined) {
    response.end(events.join(""));
    return;
  }
  const before = "afterEvents" in fault ? events.slice(0, fault.afterEvents).join("") : "";
  const rest = "afterEvents" in fault ? events.slice(fault.afterEvents) : events;
  if (before !== "") await written(response, before);
  switch (fault.kind) {
    case "reset": {
      // Torn in the middle of an event, once what came before has left.
      const half = (rest[0] ?? "").slice(0, 20);
      await written(response, half === "" ? ":\n" : half);
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
      return;
    }
    case "end":
      response.end();
      return;
    case "stall":
      return;
    case "errorEvent":
      response.end(book.errorEvent(fault.type, fault.message ?? "The loopback server was told to fail."));
      return;
    case "badEvent":
      response.end(`data: {"type": nonsense\n\n${rest.join("")}`);
      return;
    case "unknownEvent":
      response.end(book.unknownEvent + rest.join(""));
      return;
    case "holdBack":
      await fault.until;
      response.end(rest.join(""));
  }
}

function written(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text, () => resolve());
  });
}
