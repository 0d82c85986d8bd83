// A session between its object and its row in D1: whoever makes it may die there.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { LISTING_CHECK_MS } from "../../../protocol/operator/limits.ts";
import { hearLog } from "../../support/hear-log.ts";
import { listInDatabase } from "./listed-in-database.ts";
import { alarmOf, makeDue, rowsOf } from "../confirmations/parked.ts";
import { sessionInit } from "./session-init.ts";
import { objectOf, reply, startReply, stubOf, valueOf } from "./session.ts";

beforeEach(() => void hearLog());

async function unlistedSession(): Promise<SessionInit> {
  const init = { ...sessionInit(), created_at: new Date().toISOString() };
  valueOf(await stubOf(init).create(init));
  return init;
}

async function addEndpoint({ tenant_id, session_id }: SessionInit): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO webhook_endpoints (id, tenant_id, url, events, sealed, created_at, updated_at)
     VALUES (?, ?, 'http://127.0.0.1:1', '["session.*"]', '', '', '')`,
  )
    .bind(`whk_${session_id}`, tenant_id)
    .run();
}

async function toldOf({ tenant_id }: SessionInit): Promise<readonly unknown[]> {
  const { results } = await env.DB.prepare(
    "SELECT payload FROM webhook_deliveries WHERE tenant_id = ?",
  )
    .bind(tenant_id)
    .all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload) as unknown);
}

async function listingIsDue(init: SessionInit): Promise<void> {
  await makeDue(init, "listing");
  await runDurableObjectAlarm(objectOf(init));
}

function tablesOf(init: SessionInit): Promise<Record<string, unknown>[]> {
  return rowsOf(init, "SELECT name FROM sqlite_master");
}

function created({ session_id, agent_id, created_at: timestamp }: SessionInit) {
  const data = { session_id, agent_id, end_user_id: null };
  return { type: "session.created", timestamp, data };
}

describe("a session that nobody has confirmed", () => {
  test("looks in D1 by itself when it is there, tells of it once, and then rests", async () => {
    const init = await unlistedSession();
    expect(await alarmOf(init)).toBe(
      Number((await rowsOf(init, "SELECT due_at FROM timers"))[0]?.["due_at"]),
    );
    await listInDatabase(init);
    await addEndpoint(init);
    await abortAllDurableObjects();
    await listingIsDue(init);

    await expect.poll(() => alarmOf(init)).toBeNull();
    expect(await toldOf(init)).toEqual([created(init)]);
    valueOf(await stubOf(init).listed());
    expect(await toldOf(init)).toEqual([created(init)]);
  });

  test("is erased when D1 does not list it", async () => {
    const init = await unlistedSession();
    await addEndpoint(init);
    await listingIsDue(init);

    await expect.poll(() => tablesOf(init)).toEqual([]);
    expect([await alarmOf(init), await toldOf(init)]).toEqual([null, []]);
    expect(await stubOf(init).act("read")).toMatchObject({ refusal: { code: "not_found" } });
  });

  test("stays, and asks again, while D1 cannot say", async () => {
    const init = await unlistedSession();
    await listInDatabase(init);
    await env.DB.exec("ALTER TABLE sessions RENAME TO sessions_away");
    for (let time = 0; time < 3; time += 1) await listingIsDue(init);
    await env.DB.exec("ALTER TABLE sessions_away RENAME TO sessions");
    expect(await alarmOf(init)).toBeGreaterThan(Date.now());
    expect((await reply(init, "/say hello")).status).toBe("completed");

    await listingIsDue(init);
    await expect.poll(() => alarmOf(init)).toBeNull();
  });

  test("is given time anew by a request that makes it again", async () => {
    const init = await unlistedSession();
    await makeDue(init, "listing");
    const before = Date.now();
    valueOf(await stubOf(init).create(init));
    await runDurableObjectAlarm(objectOf(init));

    expect(await alarmOf(init)).toBeGreaterThanOrEqual(before + LISTING_CHECK_MS);
    expect(valueOf(await stubOf(init).act("read")).id).toBe(init.session_id);
  });
});

describe("a session that its maker confirms", () => {
  test("tells of itself once, however often, and rests", async () => {
    const init = await unlistedSession();
    await listInDatabase(init);
    await addEndpoint(init);
    for (let time = 0; time < 2; time += 1) valueOf(await stubOf(init).listed());

    expect([await toldOf(init), await alarmOf(init)]).toEqual([[created(init)], null]);
  });

  test("tells of itself later when the queue or D1 failed in that moment", async () => {
    const init = await unlistedSession();
    await listInDatabase(init);
    await addEndpoint(init);
    await env.DB.exec("ALTER TABLE webhook_deliveries RENAME TO deliveries_away");
    valueOf(await stubOf(init).listed());
    await env.DB.exec("ALTER TABLE deliveries_away RENAME TO webhook_deliveries");
    expect([await toldOf(init), await alarmOf(init)]).toEqual([[], expect.any(Number)]);

    await listingIsDue(init);
    await expect.poll(() => toldOf(init)).toEqual([created(init)]);
  });

  test("asks D1 nothing when no endpoint is to be told, and rests", async () => {
    const init = await unlistedSession();
    for (let time = 0; time < 2; time += 1) valueOf(await stubOf(init).listed(false));

    // D1 would say that it is not there, and it would be erased.
    await expect.poll(() => alarmOf(init)).toBeNull();
    expect(valueOf(await stubOf(init).act("read")).id).toBe(init.session_id);
  });

  test("forgets the check in the commit of its first reply", async () => {
    const init = await unlistedSession();
    valueOf(await stubOf(init).listed(false));
    await startReply(init, "/rate 50\n/words 20000");

    expect(await rowsOf(init, "SELECT kind FROM timers")).toEqual([{ kind: "watch" }]);
    await abortAllDurableObjects();
    expect(valueOf(await stubOf(init).act("read")).id).toBe(init.session_id);
  });

  test("is erased though its maker still confirms it", async () => {
    const init = await unlistedSession();
    await listInDatabase(init);
    const [removed] = await Promise.all([stubOf(init).remove(), stubOf(init).listed()]);

    expect(removed).toEqual({ ok: true, value: null });
    await expect.poll(() => tablesOf(init)).toEqual([]);
    const alarm = runInDurableObject(objectOf(init), (_, state) => state.storage.getAlarm());
    expect(await alarm).toBeNull();
  });
});
