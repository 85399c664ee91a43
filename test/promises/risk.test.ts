import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Options, type PermissionMode, type ToolExtras, tool } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, run, scratch } from "../kit/session.ts";

const HEADING = "## What risk, annotations and policy do together";

/** The rows of the table in the guide, the first one its head. */
function table(): readonly (readonly string[])[] {
  const guide = readFileSync(new URL("../../docs/tools.md", import.meta.url), "utf8");
  const section = guide.slice(guide.indexOf(HEADING)).split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|") && !line.startsWith("|--"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const ROWS: ReadonlyMap<string, ToolExtras> = new Map<string, ToolExtras>(
  [
    ...(["low", "medium", "high"] as const).map((riskLevel) => [riskLevel, { riskLevel }] as const),
    ...(["always_allow", "always_ask", "always_deny"] as const).map(
      (permissionPolicy) => [permissionPolicy, { permissionPolicy }] as const,
    ),
  ].flatMap(([name, extras]): [string, ToolExtras][] => [
    [name, extras],
    [`${name}, read-only`, { ...extras, annotations: { readOnlyHint: true } }],
  ]),
);

const plain = (permissionMode: PermissionMode): Options => ({ permissionMode });
const COLUMNS: ReadonlyMap<string, Options> = new Map<string, Options>([
  ["default", plain("default")],
  ["acceptEdits", plain("acceptEdits")],
  ["plan", plain("plan")],
  ["plan, danger flag", { ...plain("plan"), allowDangerouslySkipPermissions: true }],
  ["dontAsk", plain("dontAsk")],
  ["bypassPermissions", { ...plain("bypassPermissions"), allowDangerouslySkipPermissions: true }],
]);

/** What a real session does with a call of such a tool. */
async function engine(extras: ToolExtras, options: Options): Promise<"allow" | "ask" | "deny"> {
  let ran = 0;
  let asked = 0;
  const probe = tool(
    "probe",
    "Is judged.",
    {},
    () => {
      ran += 1;
      return { content: [] };
    },
    extras as ToolExtras<object>,
  );
  await run(once("probe"), {
    ...options,
    tools: [probe],
    canUseTool: () => {
      asked += 1;
      return { behavior: "allow" };
    },
  });
  if (asked === 0) return ran === 1 ? "allow" : "deny";
  expect([asked, ran]).toEqual([1, 1]);
  return "ask";
}

const [head = [], ...rows] = table();

describe("the table of risk, annotations and policy", () => {
  it("has every row and every column", () => {
    expect(head.slice(1)).toEqual([...COLUMNS.keys()]);
    expect(rows.map((row) => row[0])).toEqual([...ROWS.keys()]);
  });

  it.each(rows.map((row) => ({ name: row[0] ?? "", cells: row.slice(1) })))(
    "n14 in part: $name, in every mode but auto, as the guide says",
    async ({ name, cells }) => {
      const extras = ROWS.get(name) ?? {};
      const found: string[] = [];
      for (const options of COLUMNS.values()) found.push(await engine(extras, options));
      expect(found).toEqual(cells);
    },
  );

  it("holds for a policy whatever the risk, and no other hint moves a cell", async () => {
    for (const [name, cells] of rows.map((row) => [row[0] ?? "", row.slice(1)] as const)) {
      const { annotations, ...extras } = ROWS.get(name) ?? {};
      const hints = { ...annotations, destructiveHint: true, openWorldHint: true, idempotentHint: true };
      const risk = extras.permissionPolicy === undefined ? {} : { riskLevel: "low" as const };
      for (const [index, column] of ["default", "plan", "bypassPermissions"].entries()) {
        const options = COLUMNS.get(column) ?? {};
        const at = [...COLUMNS.keys()].indexOf(column);
        const found = await engine({ ...extras, ...risk, annotations: hints }, options);
        expect(found, `${name} in ${column} (${index})`).toBe(cells[at]);
      }
    }
  });

  it("N09 low runs; medium and high wait in default and acceptEdits and run in bypass; acceptEdits differs only for edits", async () => {
    const cells = (name: string): Map<string, string> => {
      const row = rows.find((each) => each[0] === name) ?? [];
      return new Map([...COLUMNS.keys()].map((mode, index) => [mode, row[index + 1] ?? ""]));
    };
    for (const mode of ["default", "acceptEdits", "bypassPermissions"]) {
      expect(cells("low").get(mode)).toBe("allow");
      const waits = mode === "bypassPermissions" ? "allow" : "ask";
      expect([cells("medium").get(mode), cells("high").get(mode)]).toEqual([waits, waits]);
    }
    for (const name of ROWS.keys()) expect(cells(name).get("acceptEdits")).toBe(cells(name).get("default"));

    for (const [mode, wanted] of [
      ["default", [1, 1, 1]],
      ["acceptEdits", [0, 0, 1]],
    ] as const) {
      const asked = { Write: 0, Edit: 0, other: 0 };
      const cwd = scratch();
      await run(
        [
          { toolCalls: [{ name: "Write", input: { file_path: join(cwd, "a"), content: "one" } }] },
          { toolCalls: [{ name: "Edit", input: { file_path: "a", old_string: "one", new_string: "two" } }] },
          { toolCalls: [{ name: "Bash", input: { command: "node --check a" } }] },
          "done",
        ],
        {
          cwd,
          permissionMode: mode,
          canUseTool: (name) => {
            asked[name === "Write" || name === "Edit" ? name : "other"] += 1;
            return { behavior: "allow" };
          },
        },
      );
      expect([asked.Write, asked.Edit, asked.other], mode).toEqual(wanted);
    }
  });
});
