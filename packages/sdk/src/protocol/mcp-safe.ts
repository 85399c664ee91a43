/** Characters that no tool name may hold become `_`: in the names that a model sees, and where rules are read. */
export function mcpSafe(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/gu, "_");
}
