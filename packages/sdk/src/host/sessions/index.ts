export { renameSession, tagSession } from "./change-session.ts";
export { deleteSession } from "./delete-session.ts";
export { exportSession } from "./export-session.ts";
export { forkSession } from "./fork-session.ts";
export { importSession } from "./import-session.ts";
export { listSessions, sessionInfo } from "./list-sessions.ts";
export { pruneSessions } from "./prune-sessions.ts";
export { sessionMessages } from "./session-messages.ts";
