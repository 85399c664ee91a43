import { type Declaration, inputOf, textOf } from "../declaration.ts";

const ID = textOf("The task.", 200);
const METADATA = { type: "object", description: "Anything else to remember." };
const IDS = { type: "array", maxItems: 200, items: ID };

// The list belongs to the session: nothing outside it changes.
const WRITES = {
  source: "builtin",
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  targets: () => [],
  riskLevel: "low",
  allowedInPlan: true,
  allowedByItself: true,
} as const;

const READS = { ...WRITES, annotations: { ...WRITES.annotations, readOnlyHint: true } };

/** TaskCreate: a new task of the session's list. */
export const TASK_CREATE: Declaration = {
  ...WRITES,
  name: "TaskCreate",
  title: "Add a task",
  searchHint: "create add task list plan",
  description: "Adds a task to the list of the session.",
  inputSchema: inputOf(
    {
      subject: textOf("The task in a few words.", 500),
      description: textOf("What is to be done.", 20_000),
      activeForm: textOf("The same while it is being done.", 500),
      metadata: METADATA,
    },
    ["subject", "description"],
  ),
  summary: (input) => String(input.subject),
};

/** TaskGet: one task in full. */
export const TASK_GET: Declaration = {
  ...READS,
  name: "TaskGet",
  title: "Show a task",
  searchHint: "get show task details",
  description: "Shows a task in full.",
  inputSchema: inputOf({ taskId: ID }, ["taskId"]),
  summary: (input) => String(input.taskId),
};

/** TaskUpdate: changes a task, or takes it out. */
export const TASK_UPDATE: Declaration = {
  ...WRITES,
  name: "TaskUpdate",
  title: "Change a task",
  searchHint: "update change task status owner",
  description: "Changes a task.",
  inputSchema: inputOf(
    {
      taskId: ID,
      subject: textOf("The task in a few words.", 500),
      description: textOf("What is to be done.", 20_000),
      activeForm: textOf("The same while it is being done.", 500),
      status: { type: "string", enum: ["pending", "in_progress", "completed", "deleted"] },
      owner: textOf("Who does it.", 200),
      addBlocks: { ...IDS, description: "Tasks that wait for this one." },
      addBlockedBy: { ...IDS, description: "Tasks that this one waits for." },
      metadata: METADATA,
    },
    ["taskId"],
  ),
  summary: (input) => String(input.taskId),
};

/** TaskList: all tasks in short. */
export const TASK_LIST: Declaration = {
  ...READS,
  name: "TaskList",
  title: "List the tasks",
  searchHint: "list show all tasks status",
  description: "Lists the tasks of the session.",
  inputSchema: inputOf({}),
  summary: () => "all tasks",
};
