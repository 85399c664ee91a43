export type { NameTest } from "./compile-part.ts";
export { compilePart } from "./compile-part.ts";
export { heedsIgnoreFilesAbove } from "./heeds-ignore-files-above.ts";
export { makeParents, type OpenMode, openResolved } from "./open-resolved.ts";
export { findProjectRoot } from "./project-root.ts";
export { realForms } from "./real-forms.ts";
export { createWalk, type Walk, type WalkEntry, type WalkOptions } from "./walk.ts";
export { createWorkspace, type Workspace, type WorkspaceOptions } from "./workspace.ts";
