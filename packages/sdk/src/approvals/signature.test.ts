import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { ApprovalRecord } from "../protocol/index.ts";
import { fileSigner } from "./signature.ts";

const home = mkdtempSync(join(tmpdir(), "castellan-signer-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const record = { id: "apr_1", toolUseId: "c1", inputHash: "aa" } as ApprovalRecord;

it("of several at once all come to one key, and each field counts", async () => {
  const folder = join(home, "new");
  const signers = Array.from({ length: 5 }, () => fileSigner(nodePlatform(), folder));
  const signatures = await Promise.all(signers.map((signer) => signer.sign(record)));
  expect(new Set(signatures).size).toBe(1);
  const [signer] = signers;
  const [signature = ""] = signatures;
  expect(await signer?.isSigned(record, signature)).toBe(true);
  for (const other of [{ id: "apr_2" }, { toolUseId: "c2" }, { inputHash: "ab" }]) {
    expect(await signer?.isSigned({ ...record, ...other }, signature)).toBe(false);
  }
  expect(await signer?.isSigned(record, "")).toBe(false);
  expect(readFileSync(join(folder, "approvals.key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
});

it("says which file holds no key", async () => {
  writeFileSync(join(home, "approvals.key"), "nothing");
  await expect(fileSigner(nodePlatform(), home).sign(record)).rejects.toMatchObject({
    code: "store_failed",
    message: expect.stringMatching(/approvals\.key.*delete it/),
  });
});

it("leaves nothing of a key that could not be written", async () => {
  const folder = join(home, "full");
  const platform = nodePlatform();
  const fs = {
    ...platform.fs,
    writeFile: (async (path: string) => {
      writeFileSync(path, "half");
      throw new Error("no space is left");
    }) as typeof platform.fs.writeFile,
  };
  await expect(fileSigner({ ...platform, fs }, folder).sign(record)).rejects.toMatchObject({
    code: "store_failed",
  });
  expect(readdirSync(folder)).toEqual([]);
});
