import type { Platform } from "./port.ts";

type Machine = Pick<Platform, "fs" | "spawn" | "env" | "os">;

/**
 * When a process started, as a text that only fits this very process; undefined when no such process runs.
 * Empty where the system tells no more than that it lives.
 */
export async function processMark(machine: Machine, pid: number): Promise<string | undefined> {
  if (machine.os === "linux") return linuxMark(machine, pid);
  if (machine.os === "win32") {
    const table = await output(machine, "tasklist", ["/FI", `PID eq ${pid}`, "/NH", "/FO", "CSV"]);
    return table.includes(`"${pid}"`) ? "" : undefined;
  }
  const line = await output(machine, "ps", ["-o", "stat=,lstart=", "-p", String(pid)]);
  const text = line.trim();
  return text === "" || text.startsWith("Z") ? undefined : text.replace(/^\S+\s+/, "");
}

async function linuxMark({ fs }: Machine, pid: number): Promise<string | undefined> {
  let stat: string;
  try {
    stat = await fs.readFile(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything; the fields behind it are numbers and one letter.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  if (state === "Z" || state === "X") return undefined;
  const boot = await fs.readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return `${boot.trim()}:${fields[19] ?? ""}`;
}

function output(machine: Machine, command: string, args: readonly string[]): Promise<string> {
  const env = { ...present(machine.env), LC_ALL: "C", TZ: "UTC" };
  return new Promise((resolve) => {
    const child = machine.spawn(command, args, { cwd: "/", env, detached: false });
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += String(chunk);
    });
    child.on("error", () => resolve(text));
    child.on("close", () => resolve(text));
  });
}

function present(env: Platform["env"]): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
