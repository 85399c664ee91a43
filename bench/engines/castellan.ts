import { type Engine, MODEL } from "../task.ts";
import { runSession } from "./session.ts";

/** Ours, over our own wire. */
export const engine: Engine = (session) => runSession(session, `anthropic/${MODEL}`);
