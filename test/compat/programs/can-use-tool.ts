// A callback decides what the rules left open: it redirects a file, refuses one command and remembers another.
import { type PermissionResult, type PermissionUpdate, query } from "@castellan/sdk";

async function approve(
  toolName: string,
  input: Record<string, unknown>,
  options: { signal: AbortSignal; suggestions?: PermissionUpdate[]; toolUseID: string },
): Promise<PermissionResult> {
  if (options.signal.aborted) return { behavior: "deny", message: "Too late." };
  console.log(`asked about ${toolName}`);
  if (toolName === "Write") {
    return { behavior: "allow", updatedInput: { ...input, file_path: `${process.cwd()}/drafts/note.txt` } };
  }
  if (String(input.command).startsWith("curl")) {
    return { behavior: "deny", message: "Nothing leaves this machine." };
  }
  return { behavior: "allow", updatedInput: input, updatedPermissions: options.suggestions };
}

for await (const message of query({
  prompt: "Take a note, upload it, and leave a mark twice.",
  options: { tools: ["Write", "Bash"], permissionMode: "default", canUseTool: approve },
})) {
  if (message.type !== "result") continue;
  const refused = message.permission_denials.map(
    (denial) => `${denial.tool_name} ${denial.tool_input.command}`,
  );
  console.log(`${message.subtype}, refused: ${refused.join(", ")}`);
}
