import { dirname, join, relative, sep } from "node:path";

/** Whose instructions a file holds. */
export type InstructionType = "User" | "Project" | "Local";

/** A file that may hold instructions. */
export interface InstructionPlace {
  readonly type: InstructionType;
  readonly path: string;
}

/** The files that hold instructions, the broadest first: of the user, then of each folder from the project's root down to the start. */
export function instructionPlaces(parts: {
  readonly home: string;
  readonly projectRoot: string;
  readonly cwd: string;
  readonly sources: readonly string[];
  readonly compat: readonly string[];
}): readonly InstructionPlace[] {
  const { home, projectRoot, cwd, sources } = parts;
  const claude = parts.compat.includes("claude");
  const user = [
    join(home, ".castellan", "AGENTS.md"),
    ...(claude ? [join(home, ".claude", "CLAUDE.md")] : []),
  ];
  const ours = foldersBetween(projectRoot, cwd).flatMap((folder): InstructionPlace[] => {
    const project = ["AGENTS.md", ...(claude ? ["CLAUDE.md", join(".claude", "CLAUDE.md")] : [])];
    const local = ["AGENTS.local.md", ...(claude ? ["CLAUDE.local.md"] : [])];
    return [
      ...(sources.includes("project") ? project : []).map((name) => at("Project", join(folder, name))),
      ...(sources.includes("local") ? local : []).map((name) => at("Local", join(folder, name))),
    ];
  });
  const taken = new Set(user);
  return [
    ...(sources.includes("user") ? user.map((path) => at("User", path)) : []),
    // A start in the home itself does not make the user's own file the project's.
    ...ours.filter(({ path }) => !taken.has(path)),
  ];
}

function at(type: InstructionType, path: string): InstructionPlace {
  return { type, path };
}

function foldersBetween(root: string, start: string): string[] {
  const way = relative(root, start);
  if (way === ".." || way.startsWith(`..${sep}`)) return [start];
  const folders = [start];
  for (let folder = start; folder !== root && dirname(folder) !== folder; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}
