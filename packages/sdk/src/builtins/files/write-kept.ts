import type { Platform } from "../../platform/index.ts";
import type { BuiltinContext } from "../../protocol/index.ts";
import type { JudgedPath } from "./judged-path.ts";
import type { LoadedFile } from "./load-file.ts";
import { createFile, replaceFile, type Stored } from "./store-file.ts";

/**
 * Writes a file of a call: a new one, or in place of `before`. Where the session keeps checkpoints, what stood there is
 * kept first; when that is not possible nothing is written.
 */
export async function writeKept(
  platform: Platform,
  path: JudgedPath,
  bytes: Uint8Array,
  before: LoadedFile | undefined,
  context: BuiltinContext,
): Promise<Stored> {
  const { checkpoints } = context.services;
  if (checkpoints === undefined) return write(platform, path, bytes, before);
  const after = { kind: "file", hash: platform.sha256(bytes), size: bytes.length } as const;
  const unkept = await checkpoints.before(context.toolUseId, [{ path: path.real, after }]);
  if (unkept !== undefined) return { ok: false, text: unkept };
  const stored = await write(platform, path, bytes, before);
  if (!stored.ok) await checkpoints.undone(context.toolUseId, [path.real]);
  return stored;
}

function write(
  platform: Platform,
  path: JudgedPath,
  bytes: Uint8Array,
  before: LoadedFile | undefined,
): Promise<Stored> {
  return before === undefined
    ? createFile(platform, path, bytes)
    : replaceFile(platform, path, bytes, before);
}
