import { describe, expect, it } from "vitest";
import { POWER_SHELL } from "./power-shell-declaration.ts";

const targets = (command: string) => POWER_SHELL.targets?.({ command }, {} as never);

describe("PowerShell", () => {
  it("only reads where every cmdlet does, and then says what", () => {
    const reads = (command: string) => POWER_SHELL.isReadOnly?.({ command });
    expect(["Get-Date", "Get-Content .env", "Get-ChildItem; Get-Location"].every(reads)).toBe(true);
    expect(["Set-Date", "Get-Content $x", "Get-Content a; Set-Date", "ls"].some(reads)).toBe(false);
    expect(targets("Get-Content .env | Select-Object -First 1")).toEqual([
      { kind: "name", value: "Get-Content .env" },
      { kind: "name", value: "Select-Object -First 1" },
      { kind: "path", access: "read", path: ".env" },
    ]);
  });

  it("has rules compared with a line that can be read, and bind any other", () => {
    const matcher = (command: string) => POWER_SHELL.preparePermissionMatcher?.({ command });
    expect(targets("Stop-Process  1")).toEqual([{ kind: "name", value: "Stop-Process 1" }]);
    expect(matcher("Stop-Process 1")?.("Remove-Item:*")).toBe(false);
    expect(targets("ls; ri x")).toEqual([{ kind: "name", value: "PowerShell" }]);
    expect(() => matcher("remove-item x")?.("Remove-Item:*")).toThrow("cannot be compared");
    expect(() => matcher("ls; ri x")?.("Remove-Item:*")).toThrow("cannot be compared");
  });
});
