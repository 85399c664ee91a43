import { win32 } from "node:path";

const DRIVE = /^[A-Za-z]:/;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\..*)?$/i;
const SHORT_NAME = /~\d+(?:\.|$)/;

/** Why the form of a Windows path alone forbids to touch it unasked. Runs on every system. */
export function windowsSuspicion(path: string): string | undefined {
  if (/^[\\/]{2}[.?][\\/]/.test(path)) return "it is a device path, which skips the usual rules of names";
  if (/^[\\/]{2}/.test(path)) return "it lies on another machine (UNC path)";
  const drive = DRIVE.test(path);
  if (drive && !/^[A-Za-z]:[\\/]/.test(path)) return "it is relative to the current folder of a drive";
  const names = path.slice(drive ? 2 : 0).split(/[\\/]/);
  if (names.some((name) => name.includes(":"))) return "it names an alternate data stream";
  if (names.some((name) => RESERVED.test(name.replace(/[. ]+$/, "")))) return "it is a device";
  if (names.some((name) => SHORT_NAME.test(name))) return "it may be the short form of another name";
  return undefined;
}

/** The name that Windows really opens: drive letter in upper case, no dots or blanks at the end of a part. */
export function windowsForm(path: string): string {
  const clean = win32.normalize(path);
  const { root } = win32.parse(clean);
  const names = clean.slice(root.length).split("\\");
  const opened = names.map((name) => (/^\.{1,2}$/.test(name) ? name : name.replace(/[. ]+$/, "")));
  return root.replace(/^[a-z]:/, (drive) => drive.toUpperCase()) + opened.join("\\");
}
