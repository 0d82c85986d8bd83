// The operator's view of the deployment as a whole.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { OperatorHealth } from "../../../protocol/operator/contract.ts";
import { HEALTH_QUERIES, purgeActivity } from "../../../storage/operator/read-health.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { hearLog } from "../../support/hear-log.ts";
import { meteredDatabase } from "../requests/noted-database.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";
import { ask, makeTenant, openSession, OPERATOR, refusalOf, send } from "../support/api.ts";
import { brokenDatabase } from "../support/broken-database.ts";
import { changeTenant } from "../support/tenant-use.ts";

async function readHealth(bindings?: Env): Promise<OperatorHealth> {
  const answer = await send("GET", "/v1/operator/health", {
    ...OPERATOR,
    ...(bindings && { bindings }),
  });
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  return answer.json();
}

async function openListed() {
  const { tenantId, session } = await openSession();
  return { tenantId, id: session.id, agent_id: session.agent_id };
}

describe("the operator's health report", () => {
  test("counts what was done in the last hour, each end once however often it is told", async () => {
    const before = await readHealth();
    const session = await openListed();
    const at = new Date().toISOString();
    const failed = { type: "model_unavailable", message: "gone" } as const;
    const entries = [
      makeEntry(session, { at, entry: 1, reply_status: "awaiting_permission" }),
      makeEntry(session, { at, entry: 2, reply_status: "running" }),
      makeEntry(session, { at, entry: 3, reply_status: "completed" }),
      makeEntry(session, { at, entry: 4, reply_status: "error", error: failed as never }),
      makeEntry(session, { at, entry: 5, reply_status: "interrupted" }),
      makeEntry(session, { at: "2026-01-01T00:00:00.000Z", entry: 6, reply_status: "completed" }),
    ];

    await deliverOutbox(env.DB, entries);
    await deliverOutbox(env.DB, entries.slice(2, 4));

    const { activity } = await readHealth();
    const added = (kind: "completed" | "interrupted" | "error" | "exceed_max_iters") =>
      activity!.replies[kind] - before.activity!.replies[kind];
    expect({
      sessions: activity!.sessions_opened - before.activity!.sessions_opened,
      replies: [
        added("completed"),
        added("error"),
        added("interrupted"),
        added("exceed_max_iters"),
      ],
      errors: activity!.errors,
    }).toEqual({
      sessions: 1,
      replies: [1, 1, 1, 0],
      errors: [{ type: "model_unavailable", replies: 1 }],
    });
    const ofSlots = activity!.slots.reduce((sum, { replies }) => sum + replies.completed, 0);
    expect(ofSlots).toBe(activity!.replies.completed);
  });

  test("costs one row for the end of a reply", async () => {
    const session = await openListed();
    const costs: D1Meta[] = [];

    await deliverOutbox(meteredDatabase(costs), [makeEntry(session, { entry: 1 })]);
    await deliverOutbox(meteredDatabase(costs), [
      makeEntry(session, { entry: 2, reply_status: "awaiting_permission" }),
    ]);

    // The end: its counter, the state, calls that wait. The wait: the state, calls that wait.
    expect(costs.map(({ rows_written }) => rows_written)).toEqual([1, 4, 0, 2, 0]);
  });

  test("shows what waits, and what waits for too long", async () => {
    const { tenantId, id } = await openListed();
    const { id: closing } = await makeTenant();
    const past = "2026-01-01T00:00:00.000Z";
    const future = "2999-01-01T00:00:00.000Z";
    const before = await readHealth();
    const delivery = (number: number, overdue_at: string | null, waits: number) =>
      env.DB.prepare(
        `INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, message_id, type, payload,
         status, attempts, waits, overdue_at, created_at)
         VALUES (?, ?, 'whk_1', ?, 't', '', 'pending', 0, ?, ?, ?)`,
      ).bind(
        `whd_${tenantId}${number}`,
        tenantId,
        `whm_${tenantId}${number}`,
        waits,
        overdue_at,
        past,
      );
    await env.DB.batch([
      delivery(1, past, 0),
      delivery(2, future, 0),
      delivery(3, null, 1),
      env.DB.prepare("UPDATE sessions SET removal_due_at = ? WHERE id = ?").bind(past, id),
      env.DB.prepare("UPDATE tenants SET removal_due_at = ? WHERE id = ?").bind(future, closing),
    ]);
    await changeTenant(tenantId, { status: "suspended" });

    const { queues, tenants } = await readHealth();

    expect(before.tenants!.suspended).not.toContain(tenantId);
    expect(tenants!.suspended).toContain(tenantId);
    expect(tenants!.closing).toBe(before.tenants!.closing + 1);
    const grown = (name: "webhook_deliveries" | "session_removals" | "tenant_removals") => [
      queues![name].pending - before.queues![name].pending,
      queues![name].overdue - before.queues![name].overdue,
      queues![name].overdue_since,
    ];
    expect({
      deliveries: grown("webhook_deliveries"),
      sessions: grown("session_removals"),
      tenants: grown("tenant_removals"),
    }).toEqual({
      deliveries: [3, 1, past],
      sessions: [1, 1, past],
      tenants: [1, 0, null],
    });
    await env.DB.prepare("UPDATE tenants SET removal_due_at = NULL WHERE id = ?")
      .bind(closing)
      .run();
  });

  test("is a report also while D1 or R2 is away", async () => {
    const log = hearLog();
    const FILES = { head: () => Promise.reject(new Error("R2 is away")) } as unknown as R2Bucket;

    const whole = await readHealth();
    const withoutFiles = await readHealth({ ...env, FILES });
    const withoutDatabase = await readHealth({ ...env, DB: brokenDatabase() });

    const statesOf = ({
      status,
      readiness,
      database,
      files,
      queues,
      activity,
      tenants,
    }: OperatorHealth) => [
      status,
      readiness.status,
      database.status,
      files.status,
      [queues, activity, tenants].map((part) => part !== null),
    ];
    expect([whole, withoutFiles, withoutDatabase].map(statesOf)).toEqual([
      ["ok", "ready", "ok", "ok", [true, true, true]],
      ["degraded", "ready", "ok", "failed", [true, true, true]],
      ["degraded", "not_ready", "failed", "ok", [false, false, false]],
    ]);
    expect(log.toSorted()).toEqual([
      "health: D1 does not answer",
      "health: R2 does not answer",
      "readiness: D1 does not answer",
    ]);
  });

  test("reads nothing but indexes", async () => {
    const plans = [];
    for (const [name, query] of Object.entries(HEALTH_QUERIES)) {
      const numbers = Array.from(query.matchAll(/\?(\d)/g), ([, number]) => Number(number));
      const statement = env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`).bind(
        ...Array.from({ length: Math.max(0, ...numbers) }, () => "1"),
      );
      const { results } = await statement.all<{ detail: string }>();
      const scans = results
        .map(({ detail }) => detail)
        .filter(
          (detail) =>
            /^(SCAN|SEARCH)/.test(detail) && !/^SCAN (CONSTANT ROW|\(subquery-\d\))/.test(detail),
        )
        .filter(
          (detail) =>
            !/ USING (COVERING INDEX \w+_(overdue|waiting|removals|due|suspended)|PRIMARY KEY)/.test(
              detail,
            ),
        );
      plans.push([name, scans]);
    }

    expect(plans).toEqual(Object.keys(HEALTH_QUERIES).map((name) => [name, []]));
  });

  test("forgets counters after a day, and keeps those of the day", async () => {
    const session = await openListed();
    const nowMs = Date.now();
    const ends = [0, 23, 25].map((hours, entry) =>
      makeEntry(session, { entry, at: new Date(nowMs - hours * 3_600_000).toISOString() }),
    );
    await deliverOutbox(env.DB, ends);

    await purgeActivity(env.DB, nowMs);

    const { results } = await env.DB.prepare("SELECT min(slot) AS oldest FROM activity").all();
    expect(results).toEqual([
      { oldest: `${new Date(nowMs - 23 * 3_600_000).toISOString().slice(0, 15)}0` },
    ]);
  });

  test("is the operator's alone", async () => {
    const { call } = await makeTenant();

    expect(refusalOf(await ask("GET", "/v1/operator/health", call))).toMatchObject({ status: 403 });
    expect((await ask("GET", "/v1/operator/health")).status).toBe(401);
  });
});
