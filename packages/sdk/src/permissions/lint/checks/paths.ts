import { findingOf, mending } from "../../policy/finding.ts";
import { NOTHING, type RuleCheck } from "../check.ts";
import { shellStart, wordsOf } from "../shell-text.ts";
import type { Subject, World } from "../subject.ts";
import { isSecretPath } from "./secret-path.ts";

/** Folders at the root of the disk that are hardly ever folders of a project. */
const ROOTS: ReadonlySet<string> = new Set(
  "home Users root etc usr tmp var proc sys mnt Volumes System Library opt".split(" "),
);
/** The same, but projects have folders of this name too. */
const MAYBE_ROOTS: ReadonlySet<string> = new Set("lib bin sbin dev media private boot run srv".split(" "));

/** `Read(/home/me/.ssh/**)` */
export const singleSlash: RuleCheck = ({ rule, family, specifier, toolName }, world) => {
  if (family !== "read" && family !== "edit") return NOTHING;
  if (specifier === undefined || !/^\/[^/]/u.test(specifier)) return NOTHING;
  if (rule.source === "policySettings" || rule.slashRoot !== undefined) return NOTHING;
  const sure = namesDisk(specifier, world);
  if (sure === undefined) return NOTHING;
  const mended = `${toolName}(/${specifier})`;
  if (world.has(mended, rule.behavior)) return NOTHING;
  const root = rule.source === "userSettings" ? "the home directory" : "the project root";
  const message = `A single / starts at ${root}, so that this names a folder there and not ${specifier.slice(0, 80)} of the disk.`;
  const remedy = sure ? mending(rule, mended, "add") : { mended, severity: "info" as const };
  return [findingOf(rule, "single-slash", message, remedy)];
};

/** True: the root of the disk is meant. False: perhaps. */
function namesDisk(specifier: string, { context }: World): boolean | undefined {
  const [, first = "", second] = specifier.split("/", 3);
  const { home, startDirectory, projectRoot } = context;
  const own = [home, startDirectory, projectRoot].some(
    (path) => specifier === path || specifier.startsWith(`${path}/`),
  );
  // `/c/Users`: how Windows shells write a drive.
  if (own || ROOTS.has(first) || (/^[a-z]$/iu.test(first) && second === "Users")) return true;
  return MAYBE_ROOTS.has(first) ? false : undefined;
}

const MEANT: ReadonlyMap<string, string> = new Map([
  ...["Write", "MultiEdit", "NotebookEdit"].map((name): [string, string] => [name, "Edit"]),
  ...["Glob", "Grep", "LS"].map((name): [string, string] => [name, "Read"]),
]);

/** `Write(path)` is `Edit(path)`. */
export const otherName: RuleCheck = ({ rule, specifier, toolName }) => {
  const meant = specifier === undefined ? undefined : MEANT.get(toolName);
  if (meant === undefined) return NOTHING;
  const message = `With a path, ${toolName} means every tool that ${meant === "Edit" ? "writes" : "reads"} files, as ${meant} does.`;
  return [findingOf(rule, "other-name", message, { mended: `${meant}(${specifier})` })];
};

/** A bare deny of a file tool while the shell is there. */
export const denyMissesShell: RuleCheck = ({ rule, binds, family, specifier, toolName }, world) => {
  if (!binds || specifier !== undefined || world.bound("Bash") !== undefined) return NOTHING;
  const reads = family === "read";
  if (!reads && family !== "edit") return NOTHING;
  const mended = reads ? "Read(//**)" : "Edit(//**)";
  if (world.has(mended, rule.behavior)) return NOTHING;
  const still = reads ? "`cat .env` in Bash reads all the same" : "`echo x > f` in Bash writes all the same";
  const fix = `To keep every ${reads ? "reader" : "writer"} away, write ${mended}.`;
  return [
    findingOf(rule, "deny-misses-shell", `It binds only the tool ${toolName}: ${still}.`, { mended, fix }),
  ];
};

const SHOWS: ReadonlySet<string> = new Set(
  "cat head tail less more bat nl tac strings xxd od hexdump base64 type".split(" "),
);

/** `Bash(cat .env)` in deny: `less .env` and `cat ./.env` are other texts. */
export const oneReader: RuleCheck = (subject, world) => {
  const { rule, binds, family, plain } = subject;
  if (!binds || family !== "bash") return NOTHING;
  const [program = "", ...operands] = wordsOf(plain);
  const operand = operands.length === 1 ? (operands[0] ?? "") : "";
  if (!SHOWS.has(program) || !isSecretPath(operand) || /["'\\()$:]/u.test(operand)) return NOTHING;
  const mended = `Read(${operand.replace(/^\*\//u, "**/").replace(/\/\*$/u, "/**")})`;
  if (world.has(mended, rule.behavior)) return NOTHING;
  const message = `It binds \`${shellStart(subject).text}\` as it is written, and no other program or spelling of the path.`;
  const fix = `${mended} binds every reader that is known, in the shell too.`;
  return [findingOf(rule, "one-reader", message, { mended, fix })];
};

/** `Edit(.env)` in deny without its Read. */
export const editWithoutRead: RuleCheck = ({ rule, binds, family, specifier }: Subject, world) => {
  if (!binds || family !== "edit" || specifier === undefined || !isSecretPath(specifier)) return NOTHING;
  const mended = `Read(${specifier})`;
  if (world.has(mended, "deny") || world.has(mended, "ask") || world.bound("Read") !== undefined)
    return NOTHING;
  const message = "It keeps the file from being changed, not from being read.";
  return [findingOf(rule, "edit-without-read", message, { mended, fix: `If it is secret, add ${mended}.` })];
};
