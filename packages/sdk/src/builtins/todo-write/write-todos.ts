import type { BuiltinContext, JsonObject, TodoItem, ToolResult } from "../../protocol/index.ts";
import { need } from "../deps.ts";
import { textResult } from "../results.ts";

/** Replaces the to-do list of the session. */
export function writeTodos(input: JsonObject, context: BuiltinContext): ToolResult {
  const todos = itemsOf(input);
  need(context.services, "todos").set(todos);
  return textResult(summarise(todos), { structuredContent: { todos: todos.map((todo) => ({ ...todo })) } });
}

/** The validated items, without keys that do not belong to them. */
export function itemsOf(input: JsonObject): TodoItem[] {
  const todos = Array.isArray(input.todos) ? (input.todos as unknown as TodoItem[]) : [];
  return todos.map(({ content, status, activeForm }) => ({ content, status, activeForm }));
}

function summarise(todos: readonly TodoItem[]): string {
  if (todos.length === 0) return "The to-do list is empty now.";
  const number = (status: TodoItem["status"]): number =>
    todos.filter((todo) => todo.status === status).length;
  const now = todos.filter((todo) => todo.status === "in_progress").map((todo) => todo.activeForm);
  const doing = now.length === 0 ? "" : ` (${now.join("; ")})`;
  return `The to-do list has ${todos.length} ${todos.length === 1 ? "item" : "items"}: ${number("completed")} completed, ${now.length} in progress${doing}, ${number("pending")} pending.`;
}
