import { resolve } from "node:path";
import type { Host, Options } from "@castellan/sdk";
import { DEMO_MODEL, DEMO_TITLE } from "../demo/demo-model.ts";
import { demoTools } from "../demo/demo-tools.ts";
import type { RunFlags } from "./options.ts";

/**
 * The tools of a session that is gone on with, where they are more than its log can name: the demo's own tool is a
 * function of this program. `--tools` says otherwise.
 */
export async function resumedTools(host: Host, flags: RunFlags): Promise<Pick<Options, "tools">> {
  const sessionId = flags.resume ?? (flags.continue === true ? await newest(host, flags.cwd) : undefined);
  if (sessionId === undefined || flags.tools !== undefined) return {};
  const events = await host.store.read(sessionId);
  const last = events.findLast((event) => event.type === "session.configured");
  if (last?.type !== "session.configured") return {};
  const { tools } = demoTools();
  const own = new Set(tools.map((tool) => tool.name));
  const [first] = events;
  const titled = first?.type === "session.started" && first.data.title === DEMO_TITLE;
  // With a real model (demo --live) it is the title that tells.
  const ofDemo = last.data.model === DEMO_MODEL || (titled && last.data.tools.some((name) => own.has(name)));
  if (!ofDemo) return {};
  return { tools: [...last.data.tools.filter((name) => !own.has(name)), ...tools] };
}

async function newest(host: Host, cwd = "."): Promise<string | undefined> {
  const [first] = await host.store.list({ project: resolve(cwd), limit: 1 });
  return first?.sessionId;
}
