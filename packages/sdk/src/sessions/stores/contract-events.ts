import type { TodosChanged } from "../../protocol/index.ts";

/** A small event that may stand anywhere in a log. */
export function todos(seq: number, ts: number, content: string): TodosChanged {
  return {
    v: 1,
    seq,
    id: `event-${seq}`,
    ts,
    type: "todos.changed",
    data: { todos: [{ content, status: "pending", activeForm: content }] },
  };
}
