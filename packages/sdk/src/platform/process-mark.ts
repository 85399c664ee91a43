import type { Platform } from "./port.ts";

type Machine = Pick<Platform, "fs" | "spawn" | "env" | "os">;

/**
 * When a process started, as a text that only fits this very process; undefined when no such process runs.
 * Empty where the system does not tell, for now or at all: then it may live.
 */
export async function processMark(machine: Machine, pid: number): Promise<string | undefined> {
  if (machine.os === "linux") return linuxMark(machine, pid);
  if (machine.os === "win32") {
    const table = await output(machine, "tasklist", ["/FI", `PID eq ${pid}`, "/NH", "/FO", "CSV"]);
    return table === undefined || table.includes(`"${pid}"`) ? "" : undefined;
  }
  const line = await output(machine, "ps", ["-o", "stat=,lstart=", "-p", String(pid)]);
  if (line === undefined) return "";
  const text = line.trim();
  return text === "" || text.startsWith("Z") ? undefined : text.replace(/^\S+\s+/, "");
}

async function linuxMark({ fs }: Machine, pid: number): Promise<string | undefined> {
  const stat = await contentOf(fs, `/proc/${pid}/stat`);
  if (stat.text === undefined) {
    if (!MISSING.has(stat.code)) return "";
    // Nobody is there, unless nobody is ever seen here.
    return MISSING.has((await contentOf(fs, "/proc/self/stat")).code) ? "" : undefined;
  }
  // The name in parentheses may hold anything; the fields behind it are numbers and one letter.
  const fields = stat.text.slice(stat.text.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  if (state === "Z" || state === "X") return undefined;
  const boot = await contentOf(fs, "/proc/sys/kernel/random/boot_id");
  if (boot.text === undefined && !MISSING.has(boot.code) && !FORBIDDEN.has(boot.code)) return "";
  return `${boot.text?.trim() ?? ""}:${fields[19] ?? ""}`;
}

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ESRCH"]);
const FORBIDDEN: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

/** Other codes than these two kinds pass: a program with too many open files must not take others for dead. */
async function contentOf(
  fs: Machine["fs"],
  path: string,
): Promise<{ readonly text?: string; readonly code: string }> {
  try {
    return { text: await fs.readFile(path, "utf8"), code: "" };
  } catch (error) {
    return { code: String((error as NodeJS.ErrnoException).code) };
  }
}

/** Undefined: it could not be run to its end. */
function output(machine: Machine, command: string, args: readonly string[]): Promise<string | undefined> {
  const env = { ...present(machine.env), LC_ALL: "C", TZ: "UTC" };
  return new Promise((resolve) => {
    const child = machine.spawn(command, args, { cwd: "/", env, detached: false });
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += String(chunk);
    });
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => resolve(code === null ? undefined : text));
  });
}

function present(env: Platform["env"]): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
