import { describe, expect, it } from "vitest";
import { reminders } from "./reminders.ts";

const base = { mode: "default", planMode: "ceiling" } as const;
const todo = (content: string, status: "pending" | "completed") => ({ content, status, activeForm: content });

describe("reminders", () => {
  it("are none where nothing is to be remembered, and always the same list then", () => {
    expect(reminders(base)).toEqual([]);
    expect(reminders(base)).toBe(reminders({ ...base, todos: [todo("a", "completed")], tasks: [] }));
  });

  it("tell the open list whole, and what runs", () => {
    const todos = [todo("Fix", "completed"), todo("Test\nit", "pending")];
    const tasks = [{ id: "sh_1", command: "npm run dev" }];
    expect(reminders({ ...base, mode: "plan", todos, tasks })).toEqual([
      expect.stringMatching(/^Plan mode is on/),
      "Your to-do list, as it stands:\n- [completed] Fix\n- [pending] Test it",
      "Commands that run in the background:\n- sh_1: npm run dev",
    ]);
  });

  it("stay short, whatever there is", () => {
    const todos = Array.from({ length: 200 }, (_, i) => todo(`${i} ${"😀".repeat(1_000)}`, "pending"));
    const [text = ""] = reminders({ ...base, todos });
    expect(text.length).toBeLessThan(8_000);
    expect(text).toContain("- and 170 more");
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });
});
