import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import {
  MAX_ACTIVITY_ROWS,
  MAX_ACTIVITY_TENANTS,
  MAX_SEARCHED_TENANTS,
} from "../../../protocol/operator/limits.ts";
import type { TenantActivities } from "../../../protocol/operator/tenant-activity.ts";
import type { Tenant } from "../../../protocol/tenants/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { UsageSeries } from "../../../protocol/usage/series.ts";
import { deliverOutbox, type OutboxEntry } from "../../../storage/outbox/deliver-outbox.ts";
import { operatorStorage } from "../../../storage/operator/operator-storage.ts";
import { TENANT_ACTIVITY } from "../../../storage/operator/read-tenant-activity.ts";
import { tenantStub } from "../../../worker/objects/tenant-stub.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";
import { ask, makeTenant, openSession, OPERATOR, refusalOf } from "../support/api.ts";

const TIMINGS = { first_output_ms: 300, waits: [] } as const;
const DAY_MS = 86_400_000;

async function openListed() {
  const { tenantId, session, call } = await openSession();
  const owner = { tenantId, id: session.id, agent_id: session.agent_id };
  const deliver = (changes: Partial<OutboxEntry>) =>
    deliverOutbox(env.DB, [makeEntry(owner, { timings: TIMINGS, ...changes })]);
  return { tenantId, session, call, deliver };
}

async function activity(...ids: readonly string[]): Promise<TenantActivities> {
  const path = `/v1/operator/activity?tenant_ids=${ids.join(",")}`;
  return (await ask<TenantActivities>("GET", path, OPERATOR)).json;
}

test("the operator reads what tenants do now and have done today, in the order in which it asks", async () => {
  const { tenantId, session, deliver } = await openListed();
  const idle = await makeTenant();
  const gone = await makeTenant();
  await ask("DELETE", `/v1/tenants/${gone.id}`, OPERATOR);
  const at = new Date().toISOString();
  const error = { type: "upstream", message: "no" } as const;
  await deliver({ entry: 1, at });
  await deliver({ entry: 2, at, reply_status: "error", error });
  await deliver({ entry: 3, at: new Date(Date.now() - DAY_MS).toISOString() });
  await tenantStub(env, tenantId).lease({ session_id: session.id, use: "start" });

  const found = await activity(idle.id, "ten_none", tenantId, gone.id, tenantId);

  expect(found).toEqual({
    day: at.slice(0, 10),
    data: [
      { tenant_id: idle.id, running_replies: 0, replies: 0, error: 0, is_whole: true },
      { tenant_id: tenantId, running_replies: 1, replies: 2, error: 1, is_whole: true },
    ],
  });
  await tenantStub(env, tenantId).settle({
    session_id: session.id,
    replies: [],
    is_running: false,
  });
  expect((await activity(tenantId)).data[0]?.running_replies).toBe(0);
});

test("an object that does not answer leaves the count of what runs open, and the rest there", async () => {
  const { id } = await makeTenant();
  const broken = { getByName: () => ({ readUse: () => Promise.reject(new Error("gone")) }) };
  const bindings = { ...env, TENANT: broken as unknown as Env["TENANT"] };
  const path = `/v1/operator/activity?tenant_ids=${id}`;
  const { status, json } = await ask<TenantActivities>("GET", path, { ...OPERATOR, bindings });

  expect([status, json.data]).toEqual([
    200,
    [{ tenant_id: id, running_replies: null, replies: 0, error: 0, is_whole: true }],
  ]);
});

test("activity is for the operator, of 50 tenants at most", async () => {
  const { id, call } = await makeTenant();
  const ids = (count: number) => Array.from({ length: count }, () => id).join(",");
  const query = (text: string) => `/v1/operator/activity?tenant_ids=${text}`;
  const refusals = [
    await ask("GET", query(id), call),
    await ask("GET", query("")),
    await ask("GET", "/v1/operator/activity", OPERATOR),
    await ask("GET", query(""), OPERATOR),
    await ask("GET", query(ids(MAX_ACTIVITY_TENANTS + 1)), OPERATOR),
  ].map(refusalOf);
  const most = await ask("GET", query(ids(MAX_ACTIVITY_TENANTS)), OPERATOR);

  const invalid = (end = "") => ({
    status: 400,
    code: "validation_failed",
    pointers: [`#/query/tenant_ids${end}`],
  });
  expect(refusals).toEqual([
    { status: 403, code: "insufficient_scope", pointers: undefined },
    { status: 401, code: "unauthenticated", pointers: undefined },
    invalid(),
    invalid("/0"),
    invalid(),
  ]);
  expect(most.status).toBe(200);
});

test("a tenant with many sums is read to the bound, and says so", async () => {
  const { id } = await makeTenant();
  const hour = new Date().toISOString().slice(0, "YYYY-MM-DDTHH".length);
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
     INSERT INTO reply_hours (tenant_id, hour, agent_id, model_name, counts)
     SELECT ?1, ?2, 'agt_' || i, 'm', '{"completed":1}' FROM n`,
  )
    .bind(id, hour, MAX_ACTIVITY_ROWS + 50)
    .run();
  const { data } = await activity(id);
  const { meta } = await env.DB.prepare(TENANT_ACTIVITY)
    .bind(JSON.stringify([id]), hour.slice(0, 10), MAX_ACTIVITY_ROWS + 1)
    .run();

  expect(data).toEqual([
    {
      tenant_id: id,
      running_replies: 0,
      replies: MAX_ACTIVITY_ROWS + 1,
      error: 0,
      is_whole: false,
    },
  ]);
  expect(meta.rows_read).toBeLessThan(MAX_ACTIVITY_ROWS + 20);
});

test("the operator reads the series of a tenant that it names, and nobody else another's", async () => {
  const { tenantId, call, deliver } = await openListed();
  const other = await makeTenant();
  const error = { type: "upstream", message: "no" } as const;
  await deliver({ entry: 1, at: new Date().toISOString(), reply_status: "error", error });
  const path = (id: string) => `/v1/usage/series?tenant_id=${id}`;
  const own = await ask<UsageSeries>("GET", path(tenantId), call);
  const read = await ask<UsageSeries>("GET", path(tenantId), OPERATOR);
  const refused = [
    await ask("GET", "/v1/usage/series", OPERATOR),
    await ask("GET", path("ten_none"), OPERATOR),
    await ask("GET", path(tenantId), other.call),
  ].map(refusalOf);

  expect(read.json.points).toMatchObject([{ replies: 1, error_types: { upstream: 1 } }]);
  expect(own.json.points).toEqual(read.json.points);
  const pointers = ["#/query/tenant_id"];
  expect(refused).toEqual([
    { status: 400, code: "validation_failed", pointers },
    { status: 404, code: "not_found", pointers },
    { status: 404, code: "not_found", pointers },
  ]);
});

test("a search by name goes on behind the tenants that it has looked through", async () => {
  const word = crypto.randomUUID();
  const { id } = await makeTenant(`Old ${word}`);
  // Newer ones than any that a test makes.
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO tenants (id, name, metadata, created_at)
     SELECT printf('ten_zz%024d', i), 'Filler', '{}', '2026-01-01T00:00:00.000Z' FROM n`,
  )
    .bind(MAX_SEARCHED_TENANTS)
    .run();
  try {
    const storage = operatorStorage(env.DB);
    const first = await storage.listTenants({ limit: 20, search: word });
    const path = `/v1/tenants?search=${word}&page=${first.next_page}`;
    const { json: second } = await ask<Page<Tenant>>("GET", path, OPERATOR);

    expect([first.data, first.has_more]).toEqual([[], true]);
    expect(second.data.map((one) => one.id)).toEqual([id]);
  } finally {
    await env.DB.prepare("DELETE FROM tenants WHERE id LIKE 'ten\\_zz%' ESCAPE '\\'").run();
  }
});
