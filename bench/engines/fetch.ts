import { type Engine, KEY } from "../task.ts";
import { bareLoop, type Post } from "./bare-loop.ts";

const post: Post = async (url, body, onText) => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": KEY, "anthropic-version": "2023-06-01" },
    body,
  });
  if (!answer.ok || answer.body === null) throw new Error(`HTTP ${answer.status}`);
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) onText(decoder.decode(bytes, { stream: true }));
};

/** The second floor: the same loop over `fetch`. */
export const engine: Engine = (session) => bareLoop(session, post);
