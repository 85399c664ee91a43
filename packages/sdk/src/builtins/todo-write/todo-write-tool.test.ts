import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
beforeEach(async () => {
  kit = await builtinKit();
});
afterEach(() => kit.remove());

const todo = (content: string, status: string) => ({ content, status, activeForm: `${content}ing` });
const write = (todos: unknown) => kit.call("TodoWrite", { todos: todos as [] });

describe("TodoWrite", () => {
  it("replaces the list and sums it up", async () => {
    const first = await write([
      todo("Read", "completed"),
      todo("Test", "in_progress"),
      todo("Ship", "pending"),
    ]);
    expect(first).toMatchObject({ isError: false });
    expect(first.text).toBe("The to-do list has 3 items: 1 completed, 1 in progress (Testing), 1 pending.");
    expect(kit.todos).toEqual([
      todo("Read", "completed"),
      todo("Test", "in_progress"),
      todo("Ship", "pending"),
    ]);
    await write([todo("Rest", "pending")]);
    expect(kit.todos).toEqual([todo("Rest", "pending")]);
    expect((await write([])).text).toContain("is empty now");
    expect(kit.todos).toEqual([]);
  });

  it.each([
    ["a status that does not exist", [todo("a", "done")]],
    ["a missing activeForm", [{ content: "a", status: "pending" }]],
    ["an empty content", [{ content: "", status: "pending", activeForm: "x" }]],
    ["a blank content", [{ content: "  ", status: "pending", activeForm: "x" }]],
    ["an unknown key", [{ ...todo("a", "pending"), priority: "high" }]],
    ["an endless content", [todo("x".repeat(2_001), "pending")]],
    ["no list", "nothing"],
  ])("refuses %s and keeps the old list", async (_name, todos) => {
    await write([todo("Keep", "pending")]);
    expect((await write(todos)).isError).toBe(true);
    expect(kit.todos).toEqual([todo("Keep", "pending")]);
  });

  it("needs no rule, and passes plan mode", () => {
    const tool = kit.tools.find((each) => each.name === "TodoWrite");
    expect(tool).toMatchObject({ allowedByItself: true, allowedInPlan: true });
    expect(tool?.isReadOnly({ todos: [] })).toBe(false);
  });
});
