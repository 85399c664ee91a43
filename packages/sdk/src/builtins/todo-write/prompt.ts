/** What the model reads about TodoWrite. */
export const TODO_WRITE_PROMPT = `Keeps the to-do list of this session. Each call replaces the whole list.

- Use it for work of three or more steps, or when several things were asked for. Leave it for a single simple step.
- content names the step ("Fix the parser"), activeForm says the same while it is being done ("Fixing the parser").
- status is pending, in_progress or completed. Keep one step in_progress while you work.
- Mark a step completed as soon as it really is: not while tests fail or a part is missing.
- An empty list clears it.`;
