import { describe, expect, it } from "vitest";
import type { ApprovalStore, LeaseStore, WakeStore } from "../../protocol/index.ts";
import { approvalStoreContract } from "./contract-approvals.ts";
import type { ContractCase } from "./contract-case.ts";
import { leaseStoreContract } from "./contract-leases.ts";
import { wakeStoreContract } from "./contract-wakes.ts";
import { memoryStore } from "./memory/memory.ts";

async function broken(cases: readonly ContractCase[]): Promise<boolean> {
  const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
  return outcomes.some(({ status }) => status === "rejected");
}

function leases(breakIt: (port: LeaseStore) => Partial<LeaseStore>): ContractCase[] {
  return leaseStoreContract(async () => {
    let now = 1000;
    const port = memoryStore({ clock: { now: () => now } }).leases;
    const moveClock = (ms: number): void => {
      now += ms;
    };
    return { port: { ...port, ...breakIt(port) }, now: () => now, moveClock };
  });
}

function approvals(breakIt: (port: ApprovalStore) => Partial<ApprovalStore>): ContractCase[] {
  return approvalStoreContract(async () => {
    const port = memoryStore().approvals;
    return { port: { ...port, ...breakIt(port) } };
  });
}

function wakes(breakIt: (port: WakeStore) => Partial<WakeStore>): ContractCase[] {
  return wakeStoreContract(async () => {
    const port = memoryStore().wakes;
    return { port: { ...port, ...breakIt(port) } };
  });
}

describe("the contract of a port finds one that", () => {
  it.each<[string, ContractCase[]]>([
    [
      "gives a lease to everybody",
      leases(() => ({ acquire: async (worker) => ({ worker, epoch: 1, expiresAt: 9e9 }) })),
    ],
    ["gives none", leases(() => ({ acquire: async () => undefined }))],
    ["renews what is lost", leases(() => ({ renew: async (lease, ms) => ({ ...lease, expiresAt: ms }) }))],
    ["never releases", leases(() => ({ release: async () => {} }))],
    ["forgets approvals", approvals(() => ({ put: async () => {} }))],
    ["lets everybody decide", approvals(() => ({ decide: async () => ({ ok: true }) }))],
    ["loses decisions", approvals(() => ({ decisionOf: async () => undefined }))],
    ["lists what was not asked for", approvals((port) => ({ list: () => port.list() }))],
    ["keeps what was removed", approvals(() => ({ remove: async () => true }))],
    ["has nothing due", wakes(() => ({ due: async () => [] }))],
    ["knows no limit", wakes((port) => ({ due: (now) => port.due(now, 1000) }))],
    [
      "takes what is due",
      wakes((port) => ({ due: async (now, limit) => taken(port, await port.due(now, limit)) })),
    ],
    ["lists all sessions", wakes((port) => ({ list: () => port.due(1e15, 1000) }))],
    ["removes nothing", wakes(() => ({ remove: async () => false }))],
  ])("%s", async (_name, cases) => {
    expect(await broken(cases)).toBe(true);
  });

  it("is broken, and none that is whole", async () => {
    expect(await broken([...leases(() => ({})), ...approvals(() => ({})), ...wakes(() => ({}))])).toBe(false);
  });
});

async function taken(port: WakeStore, wakes: Awaited<ReturnType<WakeStore["due"]>>): Promise<typeof wakes> {
  for (const { id } of wakes) await port.remove(id);
  return wakes;
}
