// Hooks on five events: two around calls that succeed or fail, one before them, one for prompts, one at the end.
import {
  type HookCallback,
  type HookCallbackMatcher,
  type HookEvent,
  type PostToolUseHookInput,
  type PreToolUseHookInput,
  query,
} from "@castellan/sdk";

const guard: HookCallback = async (input, toolUseID, { signal }) => {
  if (input.hook_event_name !== "PreToolUse" || signal.aborted) return {};
  const { command } = (input as PreToolUseHookInput).tool_input as { command?: string };
  console.log(`before: ${command} (${toolUseID === undefined ? "no call" : "a call"})`);
  if (!command?.includes("rm ")) return {};
  return {
    hookSpecificOutput: {
      hookEventName: input.hook_event_name,
      permissionDecision: "deny",
      permissionDecisionReason: "Nothing is removed here.",
    },
  };
};

const record: HookCallback = async (input) => {
  const { tool_name, tool_response } = input as PostToolUseHookInput;
  console.log(`after: ${tool_name}, ${tool_response === undefined ? "nothing" : "a response"}`);
  return {};
};

const context: HookCallback = async (input) => {
  if (input.hook_event_name !== "UserPromptSubmit") return {};
  console.log(`prompt: ${input.prompt}`);
  return {
    hookSpecificOutput: {
      hookEventName: "UserPromptSubmit",
      additionalContext: "The branch is called main.",
    },
  };
};

const hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> = {
  PreToolUse: [{ matcher: "Bash", hooks: [guard] }],
  PostToolUse: [{ hooks: [record] }],
  PostToolUseFailure: [
    {
      hooks: [
        async (input) => {
          if (input.hook_event_name === "PostToolUseFailure") console.log(`failed: ${input.tool_name}`);
          return {};
        },
      ],
    },
  ],
  UserPromptSubmit: [{ hooks: [context] }],
  Stop: [
    {
      timeout: 10,
      hooks: [
        async (input) => {
          if (input.hook_event_name !== "Stop" || input.stop_hook_active) return {};
          console.log("stop: not yet");
          return { decision: "block", reason: "Say which branch it was." };
        },
      ],
    },
  ],
};

for await (const message of query({
  prompt: "Tidy up.",
  options: { tools: ["Bash"], allowedTools: ["Bash(echo:*)", "Bash(false)"], hooks },
})) {
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
