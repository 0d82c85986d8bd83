// The decisions that D1 lists: what they cost, what comes late, and what D1 did not hear at once.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { deliverOutbox, type OutboxEntry } from "../../../storage/outbox/deliver-outbox.ts";
import type { ListedDecision } from "../../../storage/outbox/put-decisions.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask, makeTenant, openSession } from "../support/api.ts";
import {
  CANCEL,
  confirmation,
  DESK,
  LABEL,
  openParked,
  REFUND,
} from "../support/parked-session.ts";
import { meteredDatabase } from "../requests/noted-database.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";

async function openListed() {
  const { tenantId, call, session } = await openSession();
  return { tenantId, call, id: session.id, agent_id: session.agent_id };
}

type Listed = Awaited<ReturnType<typeof openListed>>;

function makeDecision(seq: number, changes: Partial<ListedDecision> = {}): ListedDecision {
  return {
    seq,
    position: 0,
    reply_id: "rep_1",
    tool_call_id: `call_${seq}`,
    tool_name: "refund",
    behavior: "ask",
    reason: null,
    rule: null,
    decided_by: { kind: "platform", id: null },
    is_edited: false,
    decided_at: new Date(Date.UTC(2026, 2, 1) + seq).toISOString(),
    ...changes,
  };
}

/** The calls that were decided in a session, by D1's list. */
async function listed({
  tenantId,
  id,
}: Pick<Listed, "tenantId" | "id">): Promise<readonly string[]> {
  const { data } = await tenantStorage(env.DB, tenantId).decisions.list({
    session_id: id,
    limit: 100,
  });
  return data.map(({ behavior, tool_call_id }) => `${behavior} ${tool_call_id}`);
}

async function rowsWritten(entry: OutboxEntry): Promise<number> {
  const costs: D1Meta[] = [];
  await deliverOutbox(meteredDatabase(costs), [entry]);
  return costs.reduce((sum, { rows_written }) => sum + rows_written, 0);
}

describe("what a session tells D1 of its decisions", () => {
  test("costs two rows each and one that counts it, and nothing when it is told again or when there are none", async () => {
    const session = await openListed();
    const entry = makeEntry(session, { entry: 1, reply_status: "running" });
    await deliverOutbox(env.DB, [entry]);

    const none = await rowsWritten({ ...entry, entry: 2 });
    const decisions = [makeDecision(3), makeDecision(4, { position: 1 })];
    const two = await rowsWritten({ ...entry, entry: 5, decisions });
    const again = await rowsWritten({ ...entry, entry: 6, decisions });

    expect({ two: two - none, again: again - none }).toEqual({ two: 6, again: 0 });
    expect(await listed(session)).toEqual(["ask call_4", "ask call_3"]);
  });

  test("is not taken after the session's deletion has begun, nor under another tenant's name", async () => {
    const session = await openListed();
    const stranger = await makeTenant();
    const entry = makeEntry(session, { entry: 1, decisions: [makeDecision(1)] });
    await deliverOutbox(env.DB, [{ ...entry, tenant_id: stranger.id }]);
    await env.DB.prepare("UPDATE sessions SET deleted_at = 'T' WHERE id = ?")
      .bind(session.id)
      .run();

    await deliverOutbox(env.DB, [entry]);

    expect([await listed(session), await listed({ ...session, tenantId: stranger.id })]).toEqual([
      [],
      [],
    ]);
  });

  test("has reasons cut, and rules whole", async () => {
    const session = await openListed();
    const rule = {
      tool_name: "refund",
      rule_content: "r".repeat(4_096),
      behavior: "deny",
      source: "s",
    } as const;
    const decision = makeDecision(1, { behavior: "deny", reason: "x".repeat(5_000), rule });

    await deliverOutbox(env.DB, [makeEntry(session, { decisions: [decision] })]);

    const { data } = await tenantStorage(env.DB, session.tenantId).decisions.list({ limit: 1 });
    expect(data).toMatchObject([{ reason: "x".repeat(300), rule }]);
  });

  test("goes with its tenant, also what came while its session was erased", async () => {
    const session = await openListed();
    await deliverOutbox(env.DB, [makeEntry(session, { decisions: [makeDecision(1)] })]);
    await env.DB.prepare("UPDATE decisions SET session_id = 'ses_erased' WHERE tenant_id = ?")
      .bind(session.tenantId)
      .run();

    await ask("DELETE", `/v1/tenants/${session.tenantId}`, { key: env.OPERATOR_KEY });

    const left = env.DB.prepare("SELECT * FROM decisions WHERE tenant_id = ?");
    expect((await left.bind(session.tenantId).all()).results).toEqual([]);
  });
});

describe("a page of decisions", () => {
  test("scans a bounded number of them, by an index, whatever the filter finds", async () => {
    const session = await openListed();
    const decisions = Array.from({ length: 1_500 }, (_, index) => makeDecision(index + 1));
    const rare = makeDecision(2_000, { tool_name: "rare" });
    for (const part of [decisions.slice(0, 1_000), decisions.slice(1_000)]) {
      await deliverOutbox(env.DB, [makeEntry(session, { entry: 1, decisions: part })]);
    }
    const oldest = makeDecision(1, { tool_name: "rare", decided_at: "2026-01-01T00:00:00.000Z" });
    await deliverOutbox(env.DB, [makeEntry(session, { entry: 2, decisions: [rare, oldest] })]);
    const { decisions: storage } = tenantStorage(env.DB, session.tenantId);

    const first = await storage.list({ tool_name: "rare", limit: 20 });
    const token = atob((first.next_page ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const before = JSON.parse(token) as [string, string, number, number];
    const second = await storage.list({ tool_name: "rare", limit: 20, before });

    const plan = await env.DB.prepare(
      `EXPLAIN QUERY PLAN SELECT * FROM decisions WHERE tenant_id = ?
       AND (decided_at, session_id, seq, position) < (?, ?, ?, ?)
       ORDER BY decided_at DESC, session_id DESC, seq DESC, position DESC LIMIT 1000`,
    )
      .bind("ten_1", "2026", "ses_1", 1, 1)
      .all<{ detail: string }>();
    expect(first.data.map(({ seq }) => seq)).toEqual([2_000]);
    expect(before.slice(2)).toEqual([502, 0]);
    expect([second.data.map(({ seq }) => seq), second.has_more]).toEqual([[1], false]);
    expect(plan.results.map(({ detail }) => detail)).toEqual([
      "SEARCH decisions USING PRIMARY KEY (tenant_id=? AND (decided_at,session_id,seq,position)<(?,?,?,?))",
    ]);
  });
});

describe("a session's object", () => {
  const objectOf = ({ tenantId, id }: { tenantId: string; id: string }) =>
    env.SESSION.getByName(sessionObjectName(tenantId, id));

  test("tells D1 each decision once, also after it was evicted while the reply waited", async () => {
    const { tenantId, session, call, reply, pending, events } = await openParked(
      `${REFUND}\n${CANCEL}`,
    );
    const place = { tenantId, id: session.id };
    const [refund, cancel] = pending.map(({ tool_call }) => tool_call.id);
    await expect.poll(() => listed(place)).toHaveLength(2);
    await evictDurableObject(objectOf(place));

    for (const one of pending) {
      const json = confirmation(reply, [one], { confirmed: false });
      await ask("POST", events, { ...call, json });
    }

    await expect
      .poll(() => listed(place))
      .toEqual([`deny ${cancel}`, `deny ${refund}`, `ask ${cancel}`, `ask ${refund}`]);
  });

  test("tells D1 what D1 missed, as soon as it is back", async () => {
    hearLog();
    const { tenantId, session, call, path } = await openSession(DESK);
    const place = { tenantId, id: session.id };
    await env.DB.exec("ALTER TABLE decisions RENAME TO decisions_away");
    await ask("POST", `${path}/replies`, { ...call, json: { input: REFUND } });
    await ask("POST", `${path}/interrupt`, call);
    await ask("POST", `${path}/replies`, { ...call, json: { input: CANCEL } });
    await env.DB.exec("ALTER TABLE decisions_away RENAME TO decisions");
    expect(await listed(place)).toEqual([]);

    await runInDurableObject(objectOf(place), (_, state) => {
      state.storage.sql.exec("UPDATE timers SET due_at = 0 WHERE kind = 'watch'");
    });
    await runDurableObjectAlarm(objectOf(place));

    await expect.poll(() => listed(place)).toHaveLength(2);
  });

  test("marks what was allowed without asking, which D1 then need not be told", async () => {
    const { tenantId, session } = await openParked(`${LABEL}\n${REFUND}`);
    const marks = await runInDurableObject(objectOf({ tenantId, id: session.id }), (_, state) =>
      state.storage.sql.exec("SELECT is_automatic FROM decisions ORDER BY seq").toArray(),
    );

    expect(marks.map(({ is_automatic }) => is_automatic).toSorted()).toEqual([0, 1]);
    await expect.poll(() => listed({ tenantId, id: session.id })).toHaveLength(1);
  });
});
