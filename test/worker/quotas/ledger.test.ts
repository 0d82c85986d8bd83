// The use of its sessions that a tenant's object keeps in memory, and the time at which it is on disk.
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, onTestFinished, test, vi } from "vitest";

import { LEASE_WRITE_MS } from "../../../protocol/quotas/limits.ts";
import { openSession } from "../support/api.ts";
import { holdTimers } from "../support/held-timers.ts";

type Tenant = ReturnType<typeof env.TENANT.getByName>;

/** The object of a new tenant, which has read D1. */
async function openTenant() {
  const { tenantId } = await openSession();
  const tenant = env.TENANT.getByName(tenantId);
  await tenant.admission();
  return { tenantId, tenant };
}

function rowsOf(tenant: Tenant) {
  return runInDurableObject(tenant, (_, { storage: { sql } }) => ({
    leases: sql.exec("SELECT session_id FROM leases ORDER BY session_id").toArray(),
    replies: sql.exec("SELECT id, tokens FROM replies ORDER BY id").toArray(),
    days: sql.exec("SELECT tokens FROM days").toArray(),
  }));
}

/** The transactions of the tenant's object from here on. */
async function watchTransactions(tenant: Tenant) {
  const spied = await runInDurableObject(tenant, (_, { storage }) =>
    vi.spyOn(Object.getPrototypeOf(storage) as DurableObjectStorage, "transactionSync"),
  );
  onTestFinished(() => spied.mockRestore());
  return spied;
}

test("leases are given without a write, and those of a while are written in one commit", async () => {
  const timers = holdTimers((delayMs) => delayMs === LEASE_WRITE_MS);
  const { tenant } = await openTenant();
  const transactions = await watchTransactions(tenant);

  for (const session_id of ["ses_1", "ses_2", "ses_3"]) {
    await tenant.lease({ session_id, use: "start" });
  }
  const before = await rowsOf(tenant);
  timers.fire();

  await expect.poll(async () => (await rowsOf(tenant)).leases.length).toBe(3);
  expect([before.leases, transactions.mock.calls.length]).toEqual([[], 1]);
});

test("a settlement is on disk when it is answered, and a lease that was over by then never was", async () => {
  holdTimers((delayMs) => delayMs === LEASE_WRITE_MS);
  const { tenant } = await openTenant();
  await tenant.lease({ session_id: "ses_1", use: "start" });

  await tenant.settle({
    session_id: "ses_1",
    replies: [{ reply_id: "rep_1", tokens: 7 }],
    is_running: false,
  });

  expect(await rowsOf(tenant)).toEqual({
    leases: [],
    replies: [{ id: "rep_1", tokens: 7 }],
    days: [{ tokens: 7 }],
  });
});

test("a settlement that cannot be written fails, and is counted once when it is repeated", async () => {
  const { tenant } = await openTenant();
  const transactions = await watchTransactions(tenant);
  transactions.mockImplementationOnce(() => {
    throw new Error("database or disk is full: SQLITE_FULL");
  });
  const settlement = {
    session_id: "ses_1",
    replies: [{ reply_id: "rep_1", tokens: 7 }],
    is_running: false,
  };

  const failed = await tenant.settle(settlement).then(() => "written", String);
  await tenant.settle(settlement);

  expect(failed).toContain("SQLITE_FULL");

  expect((await rowsOf(tenant)).days).toEqual([{ tokens: 7 }]);
});

test("an object that is put away keeps its leases", async () => {
  const { tenantId, tenant } = await openTenant();
  await tenant.lease({ session_id: "ses_1", use: "start" });

  await evictDurableObject(tenant);

  expect((await env.TENANT.getByName(tenantId).readUse()).running_replies).toBe(1);
});

test("a lease that a crash has forgotten is taken up by its reply's next request", async () => {
  holdTimers((delayMs) => delayMs === LEASE_WRITE_MS);
  const { tenantId, tenant } = await openTenant();
  await tenant.lease({ session_id: "ses_1", use: "start" });

  await abortAllDurableObjects();
  const again = env.TENANT.getByName(tenantId);
  const forgotten = (await again.readUse()).running_replies;
  const reply = { reply_id: "rep_1", tokens: 3 };
  const renewed = await again.lease({ session_id: "ses_1", use: "running", reply });

  expect([forgotten, renewed.ok]).toEqual([0, true]);
  expect(await again.readUse()).toEqual({ running_replies: 1, held_replies: 0, tokens_per_day: 3 });
});

test("a session whose lease is not on disk yet is told of a suspension", async () => {
  holdTimers((delayMs) => delayMs === LEASE_WRITE_MS);
  const { tenantId, tenant } = await openTenant();
  await tenant.lease({ session_id: "ses_1", use: "reading" });
  const { quotas, revision } = await tenant.admission();

  await tenant.setSettings({ status: "suspended", quotas, revision: revision + 1 });

  // Told by its object's name: one that holds no session has nothing to stop, and is told all the same.
  const told = await runInDurableObject(env.TENANT.getByName(tenantId), (_, { storage }) =>
    storage.sql.exec("SELECT session_id FROM leases").toArray(),
  );
  expect(told).toEqual([{ session_id: "ses_1" }]);
});
