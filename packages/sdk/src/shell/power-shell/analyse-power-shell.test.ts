import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../test/setup/runs.ts";
import { analysePowerShell } from "./analyse-power-shell.ts";
import { CMDLETS } from "./cmdlets.ts";

const shown = (line: string): string | undefined => {
  const { readOnly, paths } = analysePowerShell(line);
  if (!readOnly) return undefined;
  return paths.map((path) => `${path.access}${path.recursive ? "*" : ""} ${path.path}`).join(", ");
};

/** At least one line for each cmdlet of the table. */
const READS: readonly (readonly [string, string])[] = [
  ["Get-Location", ""],
  ["get-date; Get-Host ;Get-Uptime; GET-CULTURE", ""],
  ["Get-ChildItem", "list ."],
  ["Get-ChildItem src -Filter x", "list src"],
  ["Get-ChildItem -Recurse", "walk* ."],
  ["Get-ChildItem -Path src -Recurse -Force -Depth 2", "walk* src"],
  ["Get-Content .env", "read .env"],
  ["Get-Content -TotalCount 5 -LiteralPath 'a b' -Raw", "read a b"],
  ['Get-Content "src\\.env"', "read src/.env"],
  ["Get-Content ~/x", "read ~/x"],
  ["Get-Content ../../x", "read ../../x"],
  ["Get-Item a -Force", "list a"],
  ["Test-Path a -PathType Leaf", "list a"],
  ["Resolve-Path a", "list a"],
  ["Select-String SECRET .env -SimpleMatch", "read .env"],
  ["Select-String -Pattern x -Path a", "read a"],
  ["Get-FileHash a -Algorithm MD5", "read a"],
  ["Write-Output hello", ""],
  ["Get-Content a | Select-Object -First 5 | Sort-Object Length -Descending", "read a"],
  ["Get-ChildItem | Measure-Object -Sum -Property Length", "list ."],
  ["Get-ChildItem | Format-Table Name -AutoSize", "list ."],
  ["Get-ChildItem | Format-List Name", "list ."],
  ["Get-ChildItem | Out-String -Width 80", "list ."],
  ["Get-Content\ta", "read a"],
  ['Get-Content "-Raw"', "read -Raw"],
  ["Get-Content 'a$b'", "read a$b"],
  ["Get-ChildItem ~", "list ~"],
  ["Get-Content a//b", "read a//b"],
  ["Get-Content a~b", "read a~b"],
  ["Get-Date;", ""],
];

describe("analysePowerShell", () => {
  it.each(READS)("%s only reads", (line, paths) => {
    expect(shown(line)).toBe(paths);
  });

  it("has a line for each cmdlet that is not understood without its row", () => {
    const table = CMDLETS as Map<string, unknown>;
    for (const [name, cmdlet] of [...table]) {
      table.delete(name);
      const lost = READS.filter(([line]) => shown(line) === undefined);
      table.set(name, cmdlet);
      expect(lost, name).not.toEqual([]);
    }
  });

  it.each([
    "Get-Content",
    "Get-Content a b",
    "Get-Content a -Wait",
    "Get-Content a -Stream x",
    "Get-Content -Pa a",
    "Get-Content -Path:a",
    "Get-Content -Path a b",
    "Get-Content a*",
    "Get-Content Env:PATH",
    "Get-Content C:\\x",
    "Get-Content a:stream",
    "Get-Content \\\\host\\share",
    "Get-Content //host/share",
    "Get-Content ~user/x",
    "Get-Content ' a'",
    "Get-Content ''",
    "Get-Content -Path",
    "Get-ChildItem -Recurse | Get-Content",
    "Get-ChildItem | Select-String x a",
    "Get-ChildItem | Remove-Item",
    "Get-ChildItem | ForEach-Object Delete",
    "Select-Object -First 5",
    "Remove-Item a",
    "Get-Content a; Remove-Item a",
    "Get-Content -Path -Raw",
    "Get-Content --% a",
    "Select-String x",
  ])("%s is not read-only, though its words are known", (line) => {
    const analysis = analysePowerShell(line);
    expect(analysis).toMatchObject({ readOnly: false, paths: [] });
  });

  it.each([
    "ls",
    "& Get-Content a",
    ". ./a.ps1",
    "./a.ps1",
    "'Get-Content' a",
    "Get-Content $x",
    'Get-Content "$x"',
    'Get-Content "a`nb"',
    "Get-Content a`nb",
    "Get-Content (Get-Item a)",
    "Get-Content @a",
    "Get-Content a,b",
    "Get-Content {a}",
    "Get-Content a > b",
    "Get-Content a && Remove-Item a",
    "Get-Content a\nRemove-Item a",
    "Get-Content a # b",
    "Get-Content 'a'b",
    "Get-Content 'it''s'",
    "Get-Content \u2018a\u2019",
    "Get-Content \u2013Path a",
    "Get-Content\u00a0a",
    "Get-Content 'a",
    "| Get-Content",
    "Get-Content a |",
    "Get-Content a;;Get-Date",
    "Module\\Get-Content a",
    "[IO.File]::Delete('a')",
    "",
    `Get-Content ${"a".repeat(3000)}`,
  ])("nothing is known of %j", (line) => {
    expect(analysePowerShell(line)).toEqual({ commands: undefined, readOnly: false, paths: [] });
  });

  it("gives each command for rules to be compared with", () => {
    expect(analysePowerShell("Stop-Process  1; Remove-Item 'a b'").commands).toEqual([
      "Stop-Process 1",
      "Remove-Item a b",
    ]);
  });

  it("never takes a line for read-only that holds anything but words, `;` and `|`, or another command", () => {
    const part = fc.constantFrom(
      ..."Get-Content Get-ChildItem Remove-Item Select-Object -Path -Recurse -First a .env 'a' \"a\" ; | & && $x ` ( ) { } @ # > < , * ? -- --% : \\ ~ \n \u00a0 \u2019 \u2013 5".split(
        " ",
      ),
      " ",
      " ",
    );
    const known = /^[A-Za-z0-9_./\\~+=:;|'" \t-]*$/;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(part, { maxLength: 12 }).map((all) => all.join("")),
          fc.string(),
        ),
        (line) => {
          const { readOnly, commands } = analysePowerShell(line);
          if (!readOnly) return;
          expect(line.replace(/'[^']*'|"[^"$`]*"/g, "")).toMatch(known);
          for (const command of commands ?? [])
            expect(CMDLETS.has((command.split(" ", 1)[0] ?? "").toLowerCase())).toBe(true);
        },
      ),
      { numRuns: runs },
    );
  });
});
