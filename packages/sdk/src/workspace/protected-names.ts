import type { ProtectedName } from "../protocol/index.ts";
import { foldName } from "./fold-name.ts";

/** Consecutive parts of a path. `at: "root"` counts only right below the root of the disk. */
export interface ProtectedEntry extends ProtectedName {
  readonly parts: readonly string[];
  readonly at: "any" | "root";
}

/** Folders whose content decides what runs later: repositories, editors, keys, build services. */
const FOLDERS = [
  ".git",
  ".hg",
  ".svn",
  ".claude",
  ".qoder",
  ".castellan",
  ".vscode",
  ".idea",
  ".husky",
  ".github/workflows",
  ".ssh",
  ".gnupg",
  ".aws",
  ".kube",
];

/** Files that a shell runs when it starts or ends. */
const SHELL_FILES = [
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".mkshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".logout",
  ".inputrc",
  ".xprofile",
  ".xinitrc",
  ".xsessionrc",
  ".config/fish",
  "Microsoft.PowerShell_profile.ps1",
  "profile.ps1",
];

/** Files that programs take settings, hosts, secrets or commands from. */
const SETTINGS_FILES = [
  ".gitconfig",
  ".config/git",
  ".gitmodules",
  ".npmrc",
  ".pypirc",
  ".netrc",
  "_netrc",
  ".envrc",
  ".ripgreprc",
  "authorized_keys",
  "crontab",
  "crontabs",
];

const ROOT_PATHS = [
  "etc/profile",
  "etc/profile.d",
  "etc/bash.bashrc",
  "etc/zsh",
  "etc/cron.d",
  "etc/cron.hourly",
  "etc/cron.daily",
  "etc/cron.weekly",
  "etc/cron.monthly",
  "var/spool/cron",
];

/** Folders that may hold settings of an agent; what in them is loaded, `isLoadedFile` knows. */
const AGENT_FOLDERS = new Set([".castellan", ".claude", ".qoder"]);

/** Every name of the table. */
export const PROTECTED_NAMES: readonly ProtectedEntry[] = [
  ...[...FOLDERS, ...SHELL_FILES, ...SETTINGS_FILES].map((name) => entry(name, "any", false)),
  ...ROOT_PATHS.map((name) => entry(name, "root", false)),
  entry(".mcp.json", "any", true),
  entry("etc/castellan", "root", true),
];

function entry(name: string, at: "any" | "root", loaded: boolean): ProtectedEntry {
  const parts = name.split("/").map(foldName);
  return { name: at === "root" ? `/${name}` : name, parts, at, loaded };
}

const BY_LAST_PART: ReadonlyMap<string, readonly ProtectedEntry[]> = groupByLastPart();

function groupByLastPart(): Map<string, ProtectedEntry[]> {
  const groups = new Map<string, ProtectedEntry[]>();
  for (const each of PROTECTED_NAMES) {
    const last = each.parts.at(-1) ?? "";
    groups.set(last, [...(groups.get(last) ?? []), each]);
  }
  return groups;
}

/**
 * The deepest protected name among the parts of an absolute path.
 *
 * @param names the parts, root left out.
 * @param first index of the first part that counts; a file that rules are loaded from counts before it too.
 */
export function protectedIn(names: readonly string[], first: number): ProtectedName | undefined {
  const folded = names.map(foldName);
  for (let last = folded.length - 1; last >= 0; last--) {
    const agent = AGENT_FOLDERS.has(folded[last] ?? "") && isLoadedFile(folded.slice(last + 1));
    if (agent) return { name: folded[last] ?? "", loaded: true };
    for (const each of BY_LAST_PART.get(folded[last] ?? "") ?? []) {
      const start = last - each.parts.length + 1;
      if (each.at === "root" && start !== 0) continue;
      // An entry counts when its last part does: `.github` may be the start folder itself.
      if (last < first && !each.loaded) continue;
      if (each.parts.every((part, i) => part === folded[start + i])) return plain(each, folded);
    }
  }
  return undefined;
}

/** A settings, hooks or servers file keeps its rank when it lies below another protected folder. */
function plain(each: ProtectedEntry, folded: readonly string[]): ProtectedName {
  const agentAbove = folded.findIndex(
    (name, i) => AGENT_FOLDERS.has(name) && isLoadedFile(folded.slice(i + 1)),
  );
  if (each.loaded || agentAbove < 0) return { name: each.name, loaded: each.loaded };
  return { name: folded[agentAbove] ?? each.name, loaded: true };
}

/** Whether a path inside an agent's folder is one that rules, hooks or servers come from. */
function isLoadedFile(inside: readonly string[]): boolean {
  const [top = ""] = inside;
  return top === "hooks" || top === ".mcp.json" || (/^settings.*\.json$/.test(top) && inside.length === 1);
}

/** Whether the path is a folder above a protected one (`.github`): taking it away takes that one too. */
export function holdsByName(names: readonly string[]): ProtectedName | undefined {
  const last = foldName(names.at(-1) ?? "");
  const found = PROTECTED_NAMES.find(
    (each) => each.at === "any" && each.parts.length > 1 && each.parts[0] === last,
  );
  return found === undefined ? undefined : { name: found.name, loaded: found.loaded };
}
