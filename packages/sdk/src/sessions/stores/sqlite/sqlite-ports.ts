import type { Platform } from "../../../platform/index.ts";
import type {
  ApprovalDecision,
  ApprovalRecord,
  ApprovalStore,
  Lease,
  LeaseStore,
  Wake,
  WakeStore,
} from "../../../protocol/index.ts";
import { checkId, checkTtl, checkWake } from "../check-ports.ts";
import { chosenApprovals, withDecision } from "../shown-approval.ts";
import type { SqlThread } from "./thread.ts";

/** A lease is a row of its worker; AUTOINCREMENT gives no epoch twice. */
export function sqliteLeases({ clock }: Pick<Platform, "clock">, thread: SqlThread): LeaseStore {
  async function changed(sql: string, ...params: (string | number)[]): Promise<boolean> {
    return (await thread.run({ sql, params: [params] })).changes > 0;
  }

  return {
    async acquire(worker, ttlMs) {
      checkTtl(ttlMs);
      const name = JSON.stringify(worker);
      const now = clock.now();
      const expiresAt = now + ttlMs;
      const { changes } = await thread.run(
        { sql: "DELETE FROM leases WHERE worker = ? AND expires <= ?", params: [[name, now]] },
        {
          sql: "INSERT INTO leases (worker, expires) VALUES (?, ?) ON CONFLICT (worker) DO NOTHING",
          params: [[name, expiresAt]],
        },
      );
      if (changes === 0) return undefined;
      const [row] = await thread.read("SELECT epoch, expires FROM leases WHERE worker = ?", name);
      return row === undefined ? undefined : { worker, epoch: Number(row.epoch), expiresAt };
    },
    async renew({ worker, epoch }, ttlMs) {
      checkTtl(ttlMs);
      const now = clock.now();
      const lease: Lease = { worker, epoch, expiresAt: now + ttlMs };
      const sql = "UPDATE leases SET expires = ? WHERE epoch = ? AND worker = ? AND expires > ?";
      return (await changed(sql, lease.expiresAt, epoch, JSON.stringify(worker), now)) ? lease : undefined;
    },
    async release({ worker, epoch }) {
      await changed("DELETE FROM leases WHERE epoch = ? AND worker = ?", epoch, JSON.stringify(worker));
    },
  };
}

export function sqliteApprovals(thread: SqlThread): ApprovalStore {
  const SHOWN =
    "SELECT a.data AS data, coalesce(d.data, '') AS decision FROM approvals a LEFT JOIN decisions d USING (id)";

  function shown(row: { data?: unknown; decision?: unknown }): ApprovalRecord {
    const decision = row.decision === "" ? undefined : (JSON.parse(String(row.decision)) as ApprovalDecision);
    return withDecision(JSON.parse(String(row.data)) as ApprovalRecord, decision);
  }

  async function decisionOf(id: string): Promise<ApprovalDecision | undefined> {
    const [row] = await thread.read("SELECT id, data FROM decisions WHERE id = ?", id);
    return row === undefined ? undefined : (JSON.parse(String(row.data)) as ApprovalDecision);
  }

  return {
    async put(record) {
      checkId(record.id, "approval");
      await thread.run({
        sql: `INSERT INTO approvals (id, session, requested, data) VALUES (?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET session = excluded.session, requested = excluded.requested, data = excluded.data`,
        params: [[record.id, JSON.stringify(record.sessionId), record.requestedAt, JSON.stringify(record)]],
      });
    },
    async get(id) {
      const [row] = await thread.read(`${SHOWN} WHERE a.id = ?`, id);
      return row === undefined ? undefined : shown(row);
    },
    async list(filter = {}) {
      const rows =
        filter.sessionId === undefined
          ? await thread.read(SHOWN)
          : await thread.read(`${SHOWN} WHERE a.session = ?`, JSON.stringify(filter.sessionId));
      return chosenApprovals(rows.map(shown), filter);
    },
    async decide(id, decision) {
      const [result] = await thread.write([
        {
          steps: [
            {
              sql: `INSERT INTO decisions (id, data) SELECT ?, ? WHERE EXISTS (SELECT 1 FROM approvals WHERE id = ?)
                ON CONFLICT (id) DO NOTHING`,
              params: [[id, JSON.stringify(decision), id]],
              must: true,
            },
          ],
          otherwise: { sql: "SELECT id, data FROM decisions WHERE id = ?", params: [id] },
        },
      ]);
      if (result?.done === true) return { ok: true };
      if (result?.row === undefined) return { ok: false, code: "approval_not_found" };
      const first = JSON.parse(String(result.row.data)) as ApprovalDecision;
      return { ok: false, code: "approval_already_decided", by: first.decidedBy };
    },
    decisionOf,
    async ids() {
      return new Set((await thread.read("SELECT id FROM approvals")).map((row) => String(row.id)));
    },
    async openIds() {
      const sql =
        "SELECT a.id AS id, a.session AS session FROM approvals a LEFT JOIN decisions d USING (id) WHERE d.id IS NULL";
      return new Set((await thread.read(sql)).map((row) => String(row.id)));
    },
    async stamp() {
      // A record that is kept again changes nothing that anybody waits for.
      const sql =
        "SELECT (SELECT coalesce(max(rowid), 0) FROM approvals) AS asked, (SELECT coalesce(max(rowid), 0) FROM decisions) AS decided";
      const [row] = await thread.read(sql);
      return `${String(row?.asked)}.${String(row?.decided)}`;
    },
    async remove(id) {
      const { changes } = await thread.run(
        { sql: "DELETE FROM decisions WHERE id = ?", params: [[id]] },
        { sql: "DELETE FROM approvals WHERE id = ?", params: [[id]] },
      );
      return changes > 0;
    },
  };
}

export function sqliteWakes(thread: SqlThread): WakeStore {
  const wakes = (rows: readonly { readonly data?: unknown }[]): Wake[] =>
    rows.map(({ data }) => JSON.parse(String(data)) as Wake);
  return {
    async put(wake) {
      checkWake(wake);
      await thread.run({
        sql: `INSERT INTO wakes (id, session, at, data) VALUES (?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET session = excluded.session, at = excluded.at, data = excluded.data`,
        params: [[wake.id, JSON.stringify(wake.sessionId), wake.at, JSON.stringify(wake)]],
      });
    },
    async due(now, limit) {
      const sql = "SELECT data, at FROM wakes WHERE at <= ? ORDER BY at, id LIMIT ?";
      return wakes(await thread.read(sql, now, Math.max(0, limit)));
    },
    async remove(id) {
      return (await thread.run({ sql: "DELETE FROM wakes WHERE id = ?", params: [[id]] })).changes > 0;
    },
    async list(sessionId) {
      const sql = "SELECT data, at FROM wakes WHERE session = ? ORDER BY at, id";
      return wakes(await thread.read(sql, JSON.stringify(sessionId)));
    },
  };
}
