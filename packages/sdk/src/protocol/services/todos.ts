export interface TodoItem {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  /** The same thing in the present continuous, for a spinner. */
  readonly activeForm: string;
}

/** The session's to-do list; durable. */
export interface TodoList {
  get(): readonly TodoItem[];
  set(todos: readonly TodoItem[]): void;
}
