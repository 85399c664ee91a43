import { join } from "node:path";
import type { Platform } from "../../../platform/index.ts";
import type { ApprovalDecision, ApprovalRecord, ApprovalStore } from "../../../protocol/index.ts";
import { errorText } from "../../../protocol/index.ts";
import { checkId, isSafeId } from "../check-ports.ts";
import { chosenApprovals, withDecision } from "../shown-approval.ts";
import { recordFiles } from "./record-files.ts";

const RECORD = /^([A-Za-z0-9_-]+)\.json$/;

/** Approvals as files: `approvals/<id>.json`, and `approvals/<id>.decision.json`, which link(2) makes: one winner. */
export function fileApprovals(platform: Pick<Platform, "fs" | "ids">, home: string): ApprovalStore {
  const files = recordFiles(platform, join(home, "approvals"));

  async function decisionOf(id: string): Promise<ApprovalDecision | undefined> {
    if (!isSafeId(id)) return undefined;
    return (await files.read(decisionName(id))) as ApprovalDecision | undefined;
  }

  async function get(id: string): Promise<ApprovalRecord | undefined> {
    if (!isSafeId(id)) return undefined;
    const record = (await files.read(recordName(id))) as ApprovalRecord | undefined;
    return record === undefined ? undefined : withDecision(record, await decisionOf(id));
  }

  /** No decision was there when the folder was looked at. */
  async function undecided(id: string): Promise<ApprovalRecord | undefined> {
    return (await files.read(recordName(id))) as ApprovalRecord | undefined;
  }

  return {
    async put(record) {
      checkId(record.id, "approval");
      await files.write(recordName(record.id), record);
    },
    get,
    async list(filter = {}) {
      const names = new Set(await files.names());
      const ids = idsIn(names);
      const isAsked = (id: string): boolean => filter.status !== "pending" || !names.has(decisionName(id));
      const found = await Promise.all(
        ids.filter(isAsked).map(async (id) => {
          try {
            return names.has(decisionName(id)) ? await get(id) : await undecided(id);
          } catch (error) {
            if (filter.skipped === undefined) throw error;
            filter.skipped(`Approval ${id} is left out: ${errorText(error)}`);
            return undefined;
          }
        }),
      );
      return chosenApprovals(
        found.filter((record) => record !== undefined),
        filter,
      );
    },
    async decide(id, decision) {
      if ((await get(id)) === undefined) return { ok: false, code: "approval_not_found" };
      if (!(await files.make(decisionName(id), decision))) {
        const by = (await decisionOf(id))?.decidedBy;
        // Removed between the link and this look.
        if (by === undefined) return { ok: false, code: "approval_not_found" };
        return { ok: false, code: "approval_already_decided", by };
      }
      if ((await files.read(recordName(id))) !== undefined) return { ok: true };
      await files.remove(decisionName(id));
      return { ok: false, code: "approval_not_found" };
    },
    decisionOf,
    stamp: files.stamp,
    async ids() {
      return new Set(idsIn(await files.names()));
    },
    async openIds() {
      const names = new Set(await files.names());
      const ids = idsIn(names);
      return new Set(ids.filter((id) => !names.has(decisionName(id))));
    },
    onChange: files.watch,
    async remove(id) {
      if (!isSafeId(id)) return false;
      const was = await files.remove(recordName(id));
      await files.remove(decisionName(id));
      return was;
    },
  };
}

function idsIn(names: Iterable<string>): string[] {
  return [...names].flatMap((name) => RECORD.exec(name)?.[1] ?? []);
}

function recordName(id: string): string {
  return `${id}.json`;
}

function decisionName(id: string): string {
  return `${id}.decision.json`;
}
