import type { CheckOptions, DryCall } from "../../packages/sdk/src/permissions-entry.ts";
import { tool } from "../../packages/sdk/src/tools/index.ts";

/** A call, and under what it is explained. */
export interface Explained {
  readonly call: DryCall;
  /** Files on the disk beside the common ones, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: CheckOptions;
}

const PROJECT = `{
  // What nobody does here without a person.
  "permissions": {
    "allow": ["Bash(npm run test:*)", "WebFetch(domain:docs.example.com)", "Edit(.claude/skills/**)"],
    "deny": [
      "Bash(git push:*)",
      "Bash(rm:*)",
      "Read(.env)",
      "mcp__github__delete_*",
      "WebFetch(domain:*.example.net)"
    ],
    "ask": ["Bash(git commit:*)"],
    "rules": [
      {
        "rule": "Bash(terraform apply:*)",
        "behavior": "deny",
        "reason": "Changes of the infrastructure go through the pipeline.",
        "match": ["Bash(terraform apply -auto-approve)"]
      }
    ]
  }
}
`;

/** The disk of every case. */
export const DISK: Readonly<Record<string, string>> = {
  "/w/app/.castellan/settings.json": PROJECT,
  "/w/app/.git/HEAD": "",
  "/w/app/.env": "KEY=1",
  "/w/app/src/a.ts": "",
  "/w/app/config": "-> .git",
};

const bash = (command: string, options: CheckOptions = {}): Explained => ({
  call: { tool: "Bash", input: { command } },
  options,
});
const on = (
  name: string,
  input: DryCall["input"],
  options: CheckOptions = {},
  files: Explained["files"] = {},
): Explained => ({ call: { tool: name, input }, options, files });

/** The same without any settings file. */
const bare = (each: Explained, options: CheckOptions = {}): Explained => ({
  ...each,
  options: { settingSources: [], ...each.options, ...options },
});
const settings = (permissions: object, more: object = {}): CheckOptions => ({
  settings: { permissions, ...more },
});
const BYPASS: CheckOptions = { mode: "bypassPermissions" };
const question = { header: "Which", question: "Which one?", options: [{ label: "a" }, { label: "b" }] };
const content = "x";

const policies = (["always_allow", "always_ask", "always_deny"] as const).map((permissionPolicy) =>
  tool(permissionPolicy, "Has a policy of its own.", {}, () => ({ content: [] }), { permissionPolicy }),
);
const checked = tool("deploy", "Deploys.", { to: "string" }, () => ({ content: [] }), {
  checkPermissions: ({ to }) =>
    to === "live"
      ? { behavior: "deny", message: "Nothing goes live on a Friday." }
      : { behavior: "ask", message: `Deploys to ${to}.`, kept: true },
});
const own: CheckOptions = { tools: [...policies, checked] };

const DENIED: Readonly<Record<string, Explained>> = {
  "a denied part of a compound command": bash("git status && git -C lib push origin main"),
  "a denied command in a shell's script": bash("npm run test && bash -c 'rm -rf build'"),
  "a denied command behind wrappers": bash("find . -name '*.tmp' -exec sudo rm {} +"),
  "a deny rule with a reason": bash("cd infra && terraform apply -auto-approve"),
  "a denied file, by its tool": on("Read", { file_path: "/w/app/.env" }),
  "a denied file, by the shell": bash("cat src/a.ts .env"),
  "a denied file that is written": on("Write", { file_path: ".env", content }),
  "a denied file as a redirect's target": bash("echo KEY=2 >> .env"),
  "a denied tool of a server": on("mcp__github__delete_repo", { name: "app" }),
  "a denied host": on("WebFetch", { url: "https://cdn.example.net/x", prompt: "Sum up." }),
  "a denied host, by the shell": bash("curl -s https://cdn.example.net/x"),
  "a tool that an option denies": on(
    "Agent",
    { description: "Review", prompt: "Review it.", subagent_type: "reviewer" },
    { disallowedTools: ["Agent(reviewer)"] },
  ),
  "a tool that the machine's policy denies": on(
    "WebSearch",
    { query: "castles" },
    {},
    {
      "/etc/castellan/managed-settings.json": `{\n  "permissions": { "deny": ["WebSearch"] }\n}\n`,
    },
  ),
  "a deny rule that cannot be read": bare(bash("ls"), settings({ deny: ["Bash(rm -rf"] })),
  "a deny rule in bypassPermissions": bash("git push", BYPASS),
};

const ASKED: Readonly<Record<string, Explained>> = {
  "an ask rule in bypassPermissions": bash("git add . && git commit -m done", BYPASS),
  "an ask rule on a whole tool": bare(
    on("WebSearch", { query: "castles" }),
    settings({ ask: ["WebSearch"] }),
  ),
  "a command that no rule allows": bare(bash("npm run test && make build 2>&1 | tee out.log")),
  "a file outside": bare(on("Read", { file_path: "/etc/hosts" })),
  "an edit inside": bare(on("Edit", { file_path: "src/a.ts", old_string: "a", new_string: "b" })),
  "a redirect to a file outside": bare(bash("npm run test > /var/log/test.log"), {
    allowedTools: ["Bash(npm run test:*)"],
  }),
  "a tool of a server that nobody allows": on("mcp__tickets__close", { id: 1 }),
  "a host that no rule names": on("WebFetch", { url: "https://example.org/", prompt: "Sum up." }),
  "a tool that needs a person": on("AskUserQuestion", { questions: [question] }, BYPASS),
  "an allow rule of a project that is not trusted": bash("npm run test", { trusted: false }),
};

const UNSEEN: Readonly<Record<string, Explained>> = {
  "a command word that is not known": bash("$(echo rm) -rf build", BYPASS),
  "a word that may make a deny match": bash("git $ACTION origin", BYPASS),
  "an operand that may be a denied file": bash("cat $(ls -a | head -3)", BYPASS),
  "a walk above a denied file": bash("grep -r KEY .", BYPASS),
  "a URL of unknown host": bare(bash('curl -s -- "https://$HOST/x"'), {
    ...BYPASS,
    ...settings({ deny: ["WebFetch(domain:*.example.net)"] }),
  }),
  "a network redirect": bare(bash("cat < /dev/tcp/203.0.113.7/80"), BYPASS),
  "another shell under rules on Bash": on("PowerShell", { command: "Get-ChildItem" }, BYPASS),
  "a line that cannot be seen through, without rules": bare(bash('eval "$LINE"')),
};

const KEPT: Readonly<Record<string, Explained>> = {
  "a protected name": bare(on("Write", { file_path: "/w/app/.git/hooks/post-commit", content }), BYPASS),
  "a file that holds rules": bare(
    on("Edit", { file_path: ".castellan/settings.json", old_string: "a", new_string: "b" }),
    BYPASS,
  ),
  "a protected name through a link": bare(bash("echo x > config/info"), BYPASS),
  "a removal of too much": bare(bash("rm -rf .."), BYPASS),
  "a removal of an unknown place": bare(bash('rm -rf "$BUILD/out"'), BYPASS),
  "a suspicious path": bare(on("Read", { file_path: "/proc/self/environ" }), BYPASS),
  "settings that cannot be read": on("Read", { file_path: "src/a.ts" }, BYPASS, {
    "/home/u/.castellan/settings.json": `{ "permissions": `,
  }),
  "a program that may reach outside": bare(bash("make build"), {
    ...BYPASS,
    ...settings({}, { blockWritesOutsideWorkingDirectories: true }),
  }),
  "a tool's own question": bare(on("deploy", { to: "staging" }), { ...own, ...BYPASS }),
  "a tool that always asks": bare(on("always_ask", {}), { ...own, ...BYPASS }),
};

const CLOSED: Readonly<Record<string, Explained>> = {
  "an edit in plan mode": bare(on("Write", { file_path: "src/a.ts", content }), { mode: "plan" }),
  "a question in dontAsk": bare(bash("make build"), { mode: "dontAsk" }),
  "a kept question in dontAsk": bash("git commit -m done", { mode: "dontAsk" }),
  "a question in plan mode that settings turn down": bare(on("ExitPlanMode", { plan: "Do it." }), {
    mode: "plan",
    ...settings({ denyInsteadOfPrompting: true }),
  }),
  "a read outside that settings forbid": bare(bash("cat /etc/hosts"), {
    ...BYPASS,
    ...settings({ blockReadsOutsideWorkingDirectories: true }),
  }),
  "a tool's own refusal": bare(on("deploy", { to: "live" }), { ...own, ...BYPASS }),
  "a tool that is always denied": bare(on("always_deny", {}), { ...own, ...BYPASS }),
  "an input that does not fit": on("Read", { path: "src/a.ts" }),
};

const ALLOWED: Readonly<Record<string, Explained>> = {
  "a command that a rule allows": bash("npm run test -- --watch"),
  "commands that only read": bash("ls -la src && wc -l src/a.ts"),
  "a file inside": on("Read", { file_path: "src/a.ts" }),
  "an edit in acceptEdits": bare(on("Write", { file_path: "src/b.ts", content }), { mode: "acceptEdits" }),
  "a host that a rule allows": on("WebFetch", { url: "https://docs.example.com/x", prompt: "Sum up." }),
  "a protected name that a rule spells": on("Write", { file_path: ".claude/skills/build/SKILL.md", content }),
  "anything in bypassPermissions": bare(bash("make build"), BYPASS),
  "a tool whose work is decided call by call": on("Agent", { description: "Look", prompt: "Look around." }),
  "a tool that is always allowed": bare(on("always_allow", {}), own),
};

/** By part of the golden, by name. */
export const EXPLAINED: Readonly<Record<string, Readonly<Record<string, Explained>>>> = {
  "Denied by a rule": DENIED,
  "Asked about": ASKED,
  "Not seen through": UNSEEN,
  "Asked about in every mode": KEPT,
  "Denied without a rule": CLOSED,
  Allowed: ALLOWED,
};
