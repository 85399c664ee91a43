/** The message of anything that was thrown. Never throws itself. */
export function errorText(error: unknown): string {
  try {
    if (typeof error === "object" && error !== null) {
      const { message, name } = error as { message?: unknown; name?: unknown };
      if (typeof message === "string" && message.trim() !== "") return message;
      if (typeof name === "string" && name.trim() !== "" && error instanceof Error) return name;
      return JSON.stringify(error) ?? "an object";
    }
    return String(error);
  } catch {
    return "something that cannot be read";
  }
}
