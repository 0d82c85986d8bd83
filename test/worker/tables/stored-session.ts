// A session with something in most of its tables, as SQL: what its object and D1 hold of it.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { mintToken } from "../support/client-token.ts";

export interface StoredSession {
  /** When the dump was made; ISO 8601, UTC. */
  readonly made_at: string;
  readonly tenant_id: string;
  readonly session_id: string;
  readonly api_key: string;
  readonly client_token: string;
  /** In the order in which they were asked for: one that is completed, one that waits, one that is queued. */
  readonly reply_ids: readonly string[];
  /** Statements that make the tables of the session's object, with their rows. */
  readonly object: readonly string[];
  /** Statements that insert the rows of D1, into the tables of the migrations that the dump is of. */
  readonly database: readonly string[];
  /** Number of these migrations; the baseline alone when left out. */
  readonly migrations?: number;
}

const TOOL = { type: "http", name: "refund", url: "https://tools.example/refund" };
export const FIRST = { input: "/say hello", idempotency_key: "first" };

type Place = Pick<StoredSession, "tenant_id" | "session_id">;

export function storedObject({ tenant_id, session_id }: Place) {
  return env.SESSION.getByName(sessionObjectName(tenant_id, session_id));
}

/** Plays the session and dumps it. D1 is to hold nothing else. */
export async function makeStoredSession(): Promise<StoredSession> {
  const { id: tenant_id, call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Desk", tools: [TOOL] });
  const session = await makeSession(call, { agent_id: agent.id, end_user_id: "ann" });
  const place = { tenant_id, session_id: session.id };
  const path = `/v1/sessions/${session.id}`;
  const replyTo = async (json: object, headers = {}) =>
    (await ask<Reply>("POST", `${path}/replies`, { ...call, json, headers })).json.id;
  const reply_ids = [
    await replyTo({ input: FIRST.input }, { "Idempotency-Key": FIRST.idempotency_key }),
  ];
  const patch = [{ op: "add", path: "/order", value: "A-1001" }];
  const rule = { tool_name: "look", rule_content: null, behavior: "deny" };
  const changed = [
    await ask("PATCH", `${path}/shared-state`, { ...call, json: patch }),
    await ask("POST", `${path}/permission-rules`, { ...call, json: { rules: [rule] } }),
  ];
  expect(changed.map(({ status }) => status)).toEqual([200, 201]);
  const { token }: ClientToken = await mintToken(path, call);
  reply_ids.push(await replyTo({ input: '/call refund {"order":"A-1001"}\n/say done' }));
  reply_ids.push(await replyTo({ input: "/say later", on_busy: "queue", background: true }));
  await expect
    .poll(() =>
      runInDurableObject(storedObject(place), (_, { storage }) =>
        storage.sql.exec("SELECT count(*) AS n FROM outbox").one(),
      ),
    )
    .toEqual({ n: 0 });
  const object = await runInDurableObject(storedObject(place), (_, { storage }) =>
    dump(async (query) => storage.sql.exec(query).toArray()),
  );
  const database = await dump(async (query) => {
    const { results } = await env.DB.prepare(query).all<Record<string, SqlStorageValue>>();
    return results;
  });
  return {
    made_at: new Date().toISOString(),
    ...place,
    api_key: call.key,
    client_token: token,
    reply_ids,
    object,
    migrations: env.TEST_MIGRATIONS.length,
    // Triggers count rows as they are inserted, from the tenant's own on.
    database: database
      .filter(
        (text) => !/^CREATE|^INSERT INTO (tenant_counts|end_user_counts|activity|d1_)/.test(text),
      )
      .toSorted((a, b) => Number(isTenant(b)) - Number(isTenant(a))),
  };
}

function isTenant(text: string): boolean {
  return text.startsWith("INSERT INTO tenants ");
}

/** Puts the session where it was: D1 as its migrations make it and then migrated, and an object that is not awake. */
export async function loadStoredSession(stored: StoredSession): Promise<void> {
  const { migrations = 1 } = stored;
  const queries = env.TEST_MIGRATIONS.map((migration) => migration.queries);
  const before = queries.slice(0, migrations).flat();
  const later = queries.slice(migrations).flat();
  await dropAll();
  await env.DB.batch(
    [...before, ...stored.database, ...later].map((query) => env.DB.prepare(query)),
  );
  await runInDurableObject(storedObject(stored), async (_, { storage }) => {
    await storage.deleteAll();
    for (const statement of stored.object) storage.sql.exec(statement);
  });
  await evictDurableObject(storedObject(stored));
}

async function dropAll(): Promise<void> {
  const { results: views } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'view'",
  ).all<{ name: string }>();
  const { results: tables } = await env.DB.prepare(TABLES).all<{ name: string }>();
  await env.DB.batch([
    ...views.map(({ name }) => env.DB.prepare(`DROP VIEW ${name}`)),
    ...tables.map(({ name }) => env.DB.prepare(`DROP TABLE ${name}`)),
  ]);
}

const TABLES = `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
  AND name NOT GLOB '_cf*' ORDER BY rowid`;

type Rows = readonly Record<string, SqlStorageValue>[];

async function dump(query: (text: string) => Promise<Rows>): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const { name, sql } of await query(TABLES)) {
    statements.push(String(sql));
    for (const row of await query(`SELECT * FROM ${String(name)}`)) {
      const values = Object.values(row).map(literalOf).join(", ");
      statements.push(
        `INSERT INTO ${String(name)} (${Object.keys(row).join(", ")}) VALUES (${values})`,
      );
    }
  }
  const indexes = await query(
    "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
  );
  return [...statements, ...indexes.map(({ sql }) => String(sql))];
}

function literalOf(value: SqlStorageValue): string {
  if (value === null || typeof value === "number") return String(value);
  if (typeof value !== "string") return `X'${hexOf(value)}'`;
  return quote(value);
}

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
