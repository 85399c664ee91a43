import type { JsonObject } from "../protocol/index.ts";
import { isJsonObject } from "../schema/index.ts";
import type { McpClient } from "./client.ts";

/** No server needs more pages; one that gives more is stuck. */
const MOST_PAGES = 100;

/** All tools that a server lists, page by page. Rejects with an Error for a listing that is none. */
export async function listTools(client: McpClient): Promise<readonly JsonObject[]> {
  const tools: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await client.request("tools/list", cursor === undefined ? {} : { cursor });
    if (!isJsonObject(answer) || !Array.isArray(answer.tools))
      throw new Error("tools/list gave no list of tools.");
    tools.push(...answer.tools.filter(isJsonObject).map((tool) => tool as JsonObject));
    const next = answer.nextCursor;
    if (typeof next !== "string" || next === "" || next === cursor) return tools;
    cursor = next;
  }
  throw new Error(`tools/list went on after ${MOST_PAGES} pages.`);
}
