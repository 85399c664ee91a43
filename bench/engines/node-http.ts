import { Agent, request } from "node:http";
import { type Engine, KEY } from "../task.ts";
import { bareLoop, type Post } from "./bare-loop.ts";

const agent = new Agent({ keepAlive: true });

const post: Post = (url, body, onText) =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "x-api-key": KEY,
          "anthropic-version": "2023-06-01",
        },
      },
      (answer) => {
        answer.setEncoding("utf8");
        answer.on("data", onText);
        answer.on("end", resolve);
        answer.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });

/** The floor: a loop over `node:http` and nothing else. */
export const engine: Engine = (session) => bareLoop(session, post);
