// The rows of the database that all tenants share: who counts them, and what is refused when they are too many.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { ask, makeAgent, openSession } from "../support/api.ts";
import { DATABASE_BYTES, sumDatabaseBytes } from "../support/database-bytes.ts";
import { keyed } from "../support/keyed.ts";
import { openParked } from "../support/parked-session.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";
import { makeEntry, makeUsage } from "../sessions/outbox-entry.ts";
import { makeShop } from "../webhooks/endpoint.ts";

/** Tables whose rows are not counted as `database_bytes`, and what bounds them instead. */
const BOUNDED: Readonly<Record<string, string>> = {
  answered_challenges: "one for each sign-in of a member, for five minutes",
  activity: "no tenant's: rows of ten minutes for each kind of end, deleted after a day",
  agent_versions: "counted as agent_versions, and with its definition as stored_bytes",
  d1_migrations: "a row for each migration",
  end_user_counts: "one for each session at most, or for each with files, which are counted",
  end_user_removals: "one for each end user who is being erased, for some minutes",
  file_sweep: "one row",
  files: "counted as stored_bytes, each as 4,096 bytes at least",
  member_identities: "one for each member",
  passkeys: "one for each member",
  search_changes: "one for each session at most, which are counted",
  search_indexes: "one for each tenant",
  sign_in_providers: "ten for each tenant, by a trigger, of 4 kB at most",
  tenant_counts: "one for each tenant",
  tenant_keys: "one for each tenant",
  tenants: "made by the operator alone",
  token_issuers: "ten for each tenant, by a trigger, of 64 kB at most",
  webhook_leases: "one for each attempt under way, whose number is bounded",
};

interface SchemaRow {
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

async function readSchema(type: "table" | "trigger"): Promise<readonly SchemaRow[]> {
  const { results } = await env.DB.prepare(
    "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = ? AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
  )
    .bind(type)
    .all<SchemaRow>();
  return results;
}

const counted = async (tenantId: string) =>
  (await env.DB.prepare("SELECT database_bytes FROM tenant_counts WHERE tenant_id = ?")
    .bind(tenantId)
    .first<number>("database_bytes"))!;

const fill = (tenantId: string) => changeTenant(tenantId, { quotas: { database_bytes: 0 } });

describe("every table of the database", () => {
  test("is counted for its tenant by triggers, or has a bound of its own", async () => {
    const tables = (await readSchema("table")).map(({ name }) => name);

    expect([...Object.keys(DATABASE_BYTES), ...Object.keys(BOUNDED)].toSorted()).toEqual(
      tables.toSorted(),
    );
  });

  test.each(Object.keys(DATABASE_BYTES))(
    "%s: each row that comes or goes is counted",
    async (table) => {
      const triggers = (await readSchema("trigger")).filter(
        ({ tbl_name, sql }) => tbl_name === table && sql.includes("database_bytes"),
      );

      const events = triggers.map(({ sql }) => /AFTER (INSERT|UPDATE|DELETE)/.exec(sql)?.[1]);
      expect(events).toEqual(expect.arrayContaining(["INSERT", "DELETE"]));
    },
  );
});

describe("a tenant's database_bytes", () => {
  test("are those of its rows, whatever was made, changed, delivered and deleted", async () => {
    const { call, path, tenantId, session } = await openParked();
    const agent = await makeAgent(call);
    const big = { name: "Big", system_prompt: "x".repeat(20_000) };
    await ask("POST", "/v1/agents", { ...keyed(call), json: big });
    await ask("PATCH", path, { ...call, json: { metadata: { note: "y".repeat(500) } } });
    await ask("POST", "/v1/api-keys", { ...keyed(call, "k"), json: { name: "till" } });
    await ask("POST", "/v1/console-links", { ...call, json: {} });
    await ask("POST", "/v1/files", { ...keyed(call), json: { note: "shoes" } });
    const entry = makeEntry({ tenantId, id: session.id, agent_id: session.agent_id });
    await deliverOutbox(env.DB, [{ ...entry, entry: 90, usage: makeUsage(5) }]);
    await ask("DELETE", `/v1/agents/${agent.id}`, call);
    await expect
      .poll(async () => (await sumDatabaseBytes(tenantId)) === (await counted(tenantId)))
      .toBe(true);

    const before = await counted(tenantId);
    await ask("DELETE", path, call);

    expect(before).toBeGreaterThan(20_000);
    await expect
      .poll(async () => (await sumDatabaseBytes(tenantId)) === (await counted(tenantId)))
      .toBe(true);
    expect((await readLimits(call)).used.database_bytes).toBe(await counted(tenantId));
  });

  test("are counted by the migration where they were there before", async () => {
    const { call, tenantId } = await openSession();
    await ask("POST", "/v1/agents", { ...keyed(call), json: { name: "Desk" } });
    await env.DB.prepare("UPDATE tenant_counts SET database_bytes = 0").run();
    const counts = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries).filter((query) =>
      query.includes("AS `found`"),
    );

    await env.DB.batch(counts.map((query) => env.DB.prepare(query)));

    // Tables that were made later had no rows to count.
    const later = [
      "reply_hours",
      "members",
      "memory_stores",
      "triggers",
      "rooms",
      "room_members",
      "room_inputs",
      "a2a_tasks",
    ];
    const countedThen = Object.keys(DATABASE_BYTES).filter((table) => !later.includes(table));
    expect(counts.length).toBe(countedThen.length);
    expect(await counted(tenantId)).toBe(await sumDatabaseBytes(tenantId));
  });

  test("never fall below zero", async () => {
    const { call, tenantId, path } = await openSession();
    await env.DB.prepare(
      "UPDATE tenant_counts SET database_bytes = 0, sessions = 0, stored_bytes = 0 WHERE tenant_id = ?",
    )
      .bind(tenantId)
      .run();

    await ask("DELETE", path, call);
    const { used } = await readLimits(call);

    // The rest is the audit's entry of the deletion.
    expect([used.sessions, used.stored_bytes, used.database_bytes < 2_000]).toEqual([0, 0, true]);
  });

  test("stop what a tenant makes, by name, but not what deletes; and the tenant goes on below them", async () => {
    const { call, tenantId, path, session } = await openSession();
    const shop = { url: "https://shop.example/", events: ["*"] };
    const { json: endpoint } = await ask<{ id: string }>("POST", "/v1/webhook-endpoints", {
      ...call,
      json: shop,
    });
    await fill(tenantId);
    const makes = [
      await ask("POST", "/v1/agents", { ...call, json: { name: "Desk" } }),
      await ask("POST", "/v1/sessions", { ...call, json: { agent_id: session.agent_id } }),
      await ask("POST", "/v1/files", { ...keyed(call), json: { note: "shoes" } }),
      await ask("POST", "/v1/console-links", { ...call, json: {} }),
      await ask("POST", `/v1/webhook-endpoints/${endpoint.id}/test`, call),
      await ask("PATCH", path, { ...call, json: { metadata: { note: "y".repeat(500) } } }),
    ];
    const removed = [
      await ask("DELETE", `/v1/webhook-endpoints/${endpoint.id}`, call),
      await ask("DELETE", path, call),
    ];
    await changeTenant(tenantId, { quotas: { database_bytes: null } });
    const again = await ask("POST", "/v1/agents", { ...call, json: { name: "Desk" } });

    expect(makes.map((made) => [made.status, (made.json as { quota?: string }).quota])).toEqual(
      makes.map(() => [429, "database_bytes"]),
    );
    expect([...removed, again].map(({ status }) => status)).toEqual([204, 204, 201]);
  });

  test("stop neither a leaked key's end nor a person's answer, also with an Idempotency-Key", async () => {
    const { call, tenantId, session } = await openParked();
    const { json: leaked } = await ask<{ id: string }>("POST", "/v1/api-keys", {
      ...call,
      json: { name: "Leaked", scopes: ["sessions:read"] },
    });
    const { json: waiting } = await ask<{ data: { reply_id: string; tool_call: object }[] }>(
      "GET",
      "/v1/confirmations",
      call,
    );
    await fill(tenantId);
    const [{ reply_id, tool_call }] = waiting.data as [(typeof waiting.data)[0]];
    const confirm_results = [{ confirmed: false, tool_call }];
    const event = { type: "USER_CONFIRM_RESULT", reply_id, confirm_results };
    const revoke = () =>
      ask("POST", `/v1/api-keys/${leaked.id}/revoke`, {
        ...keyed(call),
        json: { reason: "leaked" },
      });
    const answer = () =>
      ask<{ data: object[] }>("POST", "/v1/confirmations", {
        ...keyed(call),
        json: { answers: [{ session_id: session.id, event }] },
      });

    expect([(await revoke()).status, (await revoke()).status]).toEqual([200, 200]);
    const answers = [await answer(), await answer()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const { json } of answers) {
      expect(json.data).toEqual([expect.objectContaining({ ok: true })]);
    }
  });

  test("never stop what the platform writes about what has happened", async () => {
    const { tenantId, session, call, path } = await openParked();
    await fill(tenantId);
    const of = { tenantId, id: session.id, agent_id: session.agent_id };
    const before = await counted(tenantId);

    await deliverOutbox(env.DB, [makeEntry(of, { entry: 90, usage: makeUsage(7) })]);

    const after = await counted(tenantId);
    expect(after).not.toBe(before);
    expect(after).toBe(await sumDatabaseBytes(tenantId));
    expect((await ask("GET", path, call)).status).toBe(200);
  });

  test("count a webhook's deliveries, which are sent all the same", async () => {
    const shop = await makeShop();
    await fill(shop.tenantId);
    const before = await counted(shop.tenantId);

    await shop.publish();
    await shop.consume(shop.held.take());

    expect(await counted(shop.tenantId)).toBeGreaterThan(before + 500);
    expect(await counted(shop.tenantId)).toBe(await sumDatabaseBytes(shop.tenantId));
  });
});
