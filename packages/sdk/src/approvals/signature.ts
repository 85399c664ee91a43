import { join } from "node:path";
import { hmacOf, isSameText, newKey, type Platform } from "../platform/index.ts";
import { type ApprovalRecord, CastellanError, errorText } from "../protocol/index.ts";

/** Signs records that leave the process, and knows its own signatures again. */
export interface Signer {
  sign(record: ApprovalRecord): Promise<string>;
  isSigned(record: ApprovalRecord, signature: string): Promise<boolean>;
}

const KEY = /^[0-9a-f]{64}$/;

/**
 * A signer whose key lies in `<home>/approvals.key` (mode 0600), made when it is first needed.
 *
 * Rejects with `store_failed` where the file cannot be read or made, or holds no key.
 */
export function fileSigner(platform: Pick<Platform, "fs" | "ids">, home: string): Signer {
  const { fs } = platform;
  const path = join(home, "approvals.key");
  let key: Promise<Uint8Array> | undefined;

  async function read(): Promise<Uint8Array | undefined> {
    let text: string;
    try {
      text = (await fs.readFile(path, "utf8")).trim();
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") return undefined;
      throw error;
    }
    if (!KEY.test(text)) throw new Error("it holds no key; delete it to have a new one made");
    return Buffer.from(text, "hex");
  }

  /** With link(2), so that two processes come to the same key. */
  async function make(): Promise<Uint8Array> {
    await fs.mkdir(home, { recursive: true, mode: 0o700 });
    const draft = `${path}.${platform.ids.short("new")}.tmp`;
    try {
      await fs.writeFile(draft, `${Buffer.from(newKey()).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
      await fs.link(draft, path);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EEXIST") throw error;
    } finally {
      await fs.rm(draft, { force: true });
    }
    const made = await read();
    if (made === undefined) throw new Error("it is gone again");
    return made;
  }

  async function load(): Promise<Uint8Array> {
    try {
      return (await read()) ?? (await make());
    } catch (error) {
      key = undefined;
      throw new CastellanError(
        "store_failed",
        `The key of approvals (${path}) cannot be had: ${errorText(error)}.`,
        { cause: error, subject: path },
      );
    }
  }

  const signed = async (record: ApprovalRecord): Promise<string> => {
    key ??= load();
    return hmacOf(await key, JSON.stringify([record.id, record.toolUseId, record.inputHash]));
  };

  return {
    sign: signed,
    isSigned: async (record, signature) => isSameText(await signed(record), signature),
  };
}
