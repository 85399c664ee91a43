/** What the model reads about StructuredOutput. */
export const STRUCTURED_OUTPUT_PROMPT = `Gives the final answer of this task as data.

- Call it exactly once, when the work is done: an accepted call ends the task.
- Its input is the answer. Text beside the call is not read as the answer.
- An input that does not fit the schema comes back with what is wrong: mend that and call again.`;
