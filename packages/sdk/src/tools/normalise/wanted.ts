/** What an author who returned something else should write. */
export const WANTED =
  'A handler must return { content: [{ type: "text", text: "…" }] } (with isError: true for a failure), or { success: true, output: … }.';
