import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { suspiciousText } from "./suspicious-text.ts";
import { windowsForm } from "./windows-paths.ts";

describe("a suspicious path", () => {
  it.each([
    ["/w/a\nb", /control/],
    ["/w/a\u0000b", /control/],
    ["/w/a\u007f", /control/],
    ["/w/\u202egpj.exe", /direction/],
    ["/w/a\u2066b", /direction/],
    ["/w/...", /dots/],
    ["/w/..../x", /dots/],
    ["/dev/sda", /device/],
    ["/dev/zero", /device/],
    ["/dev/fd/x", /device/],
    ["/dev/tcp/host/80", /network/],
    ["/dev/udp/host/53", /network/],
    ["/proc/self/environ", /environment/],
    ["/proc/1/environ", /environment/],
    ["/proc/1/task/1/environ", /environment/],
    ["/proc/self/mem", /memory/],
  ])("is %j", (path, why) => {
    expect(suspiciousText(posix, path)).toMatch(why);
  });

  it.each([
    "/w/größe",
    "/w/日本.txt",
    "/w/👩\u200d💻.md",
    "/w/..a",
    "/w/a...b",
    "/w/[...slug]/page.tsx",
    "/w/a:b",
    "/w/con",
    "/dev/null",
    "/dev/stderr",
    "/dev/fd/2",
    "/dev/shm/x",
    "/proc/meminfo",
    "/proc/1/status",
    "/w/environ",
  ])("is not %j", (path) => {
    expect(suspiciousText(posix, path)).toBeUndefined();
  });
});

describe("a suspicious path on Windows", () => {
  it.each([
    ["\\\\server\\share\\x", /another machine/],
    ["//server/share/x", /another machine/],
    ["\\\\?\\C:\\x", /device path/],
    ["\\\\.\\PhysicalDrive0", /device path/],
    ["//?/C:/x", /device path/],
    ["C:x", /current folder of a drive/],
    ["C:\\w\\file.txt:hidden", /alternate data stream/],
    ["C:\\w\\.git::$INDEX_ALLOCATION\\x", /alternate data stream/],
    ["C:\\w\\NUL", /device/],
    ["C:\\w\\com1.txt", /device/],
    ["C:\\w\\lpt9. ", /device/],
    ["C:\\w\\con. .", /it is a device$/],
    ["C:\\w\\aux .txt", /it is a device$/],
    ["\\w\\nul", /it is a device$/],
    ["x\\C:\\y", /alternate data stream/],
    ["C:x\\C:\\y", /current folder of a drive/],
    ["C:\\w\\GIT~1\\config", /short form/],
    ["C:\\w\\...\\x", /dots/],
  ])("is %j", (path, why) => {
    expect(suspiciousText(win32, path)).toMatch(why);
  });

  it.each([
    ...["C:\\w\\file.txt", "c:/w/file", "C:\\w\\console.log", "C:\\w\\a~b", "C:\\w\\backup~"],
    ...["C:\\w\\\\file", "\\w\\file", "C:\\w\\\\.\\x", "C:\\w\\com", "C:\\w\\xcon"],
    ...["/dev/sda", "/dev/tcp/host/80", "/proc/1/environ"],
  ])("is not %j", (path) => {
    expect(suspiciousText(win32, path)).toBeUndefined();
  });

  it.each([
    ["c:\\w\\x.. ", "C:\\w\\x"],
    ["c:/w/.env.", "C:\\w\\.env"],
    ["C:\\w\\.\\a\\..\\b ", "C:\\w\\b"],
    ["C:\\", "C:\\"],
    ["..\\x. ", "..\\x"],
    ["..", ".."],
    [".", "."],
    ["\\\\c:\\share\\x", "\\\\c:\\share\\x"],
    ["\\\\server\\share\\x.", "\\\\server\\share\\x"],
  ])("opens %j as %j", (path, opened) => {
    expect(windowsForm(path)).toBe(opened);
  });
});
