import { AGENT } from "./agent/agent-declaration.ts";
import { CONFIG } from "./config/config-declaration.ts";
import { type Declaration, type DeclaredTool, declaredTool } from "./declaration.ts";
import { LSP } from "./lsp/lsp-declaration.ts";
import { LIST_MCP_RESOURCES, READ_MCP_RESOURCE } from "./mcp-resources/mcp-resource-declarations.ts";
import { MONITOR } from "./monitor/monitor-declaration.ts";
import { MULTI_EDIT } from "./multi-edit/multi-edit-declaration.ts";
import { NOTEBOOK_EDIT } from "./notebook-edit/notebook-edit-declaration.ts";
import { LIST_AGENTS, SEND_MESSAGE, TEAM_CREATE, TEAM_DELETE } from "./peers/peer-declarations.ts";
import { POWER_SHELL } from "./power-shell/power-shell-declaration.ts";
import { REPL } from "./repl/repl-declaration.ts";
import { PUSH_NOTIFICATION, SEND_USER_FILE, SEND_USER_MESSAGE } from "./send-user/send-user-declarations.ts";
import { SKILL } from "./skill/skill-declaration.ts";
import { TASK_CREATE, TASK_GET, TASK_LIST, TASK_UPDATE } from "./task-list/task-list-declarations.ts";
import { TOOL_SEARCH } from "./tool-search/tool-search-declaration.ts";
import { WEB_FETCH } from "./web-fetch/web-fetch-declaration.ts";
import { WEB_SEARCH } from "./web-search/web-search-declaration.ts";
import { WORKFLOW } from "./workflow/workflow-declaration.ts";
import { ENTER_WORKTREE, EXIT_WORKTREE } from "./worktrees/worktree-declarations.ts";

const DECLARATIONS: readonly Declaration[] = [
  ...[AGENT, CONFIG, ENTER_WORKTREE, EXIT_WORKTREE],
  ...[LSP, LIST_AGENTS, LIST_MCP_RESOURCES, MONITOR, MULTI_EDIT, NOTEBOOK_EDIT, POWER_SHELL],
  ...[PUSH_NOTIFICATION, REPL, READ_MCP_RESOURCE, SEND_MESSAGE, SEND_USER_FILE],
  ...[SEND_USER_MESSAGE, SKILL, TASK_CREATE, TASK_GET, TASK_LIST, TASK_UPDATE, TEAM_CREATE],
  ...[TEAM_DELETE, TOOL_SEARCH, WEB_FETCH, WEB_SEARCH, WORKFLOW],
];

/** The built-in tools that no session mounts yet, by name. */
export const DECLARED_TOOLS: readonly DeclaredTool[] = DECLARATIONS.map(declaredTool);
