import { fileURLToPath } from "node:url";

/** The demo's model, as a session records it: the build puts `demo-script.ts` beside the bundle that holds this. */
export const DEMO_MODEL: string = `scripted:${fileURLToPath(new URL("./demo-script.js", import.meta.url))}`;

/** The title of the demo's sessions, whichever model works in them. */
export const DEMO_TITLE = "castellan demo";
