import { type Declaration, inputOf, textOf } from "../declaration.ts";

const QUIET = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** SendMessage: to another agent of the session. Rules name who it goes to: `SendMessage(reviewer)`. */
export const SEND_MESSAGE: Declaration = {
  name: "SendMessage",
  source: "builtin",
  title: "Write to an agent",
  searchHint: "send message agent teammate mailbox",
  description: "Sends a message to an agent of the session.",
  inputSchema: inputOf({ to: textOf("Its name.", 200), message: textOf("The message.", 100_000) }, [
    "to",
    "message",
  ]),
  annotations: QUIET,
  targets: ({ to }) => [{ kind: "name", value: String(to).trim() }],
  riskLevel: "medium",
  summary: (input) => String(input.to),
};

/** ListAgents: who there is to write to. */
export const LIST_AGENTS: Declaration = {
  name: "ListAgents",
  source: "builtin",
  title: "List the agents",
  searchHint: "list agents peers teammates names",
  description: "Lists the agents of the session.",
  inputSchema: inputOf({}),
  annotations: { ...QUIET, readOnlyHint: true },
  targets: () => [],
  riskLevel: "low",
  allowedByItself: true,
  summary: () => "all agents",
};

/** TeamCreate: a group of agents with a shared task list. */
export const TEAM_CREATE: Declaration = {
  name: "TeamCreate",
  source: "builtin",
  title: "Make a team",
  searchHint: "team create group agents",
  description: "Makes a team of agents.",
  inputSchema: inputOf({ team_name: textOf("Its name.", 200), description: textOf("What it is for.") }, [
    "team_name",
  ]),
  annotations: QUIET,
  summary: (input) => String(input.team_name),
};

/** TeamDelete: ends the team and its mailboxes. */
export const TEAM_DELETE: Declaration = {
  name: "TeamDelete",
  source: "builtin",
  title: "End the team",
  searchHint: "team delete end agents",
  description: "Ends the team of this session.",
  inputSchema: inputOf({}),
  annotations: { ...QUIET, destructiveHint: true },
  summary: () => "the team",
};
