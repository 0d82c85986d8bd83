// A session of the tests whose object was made directly, as D1 would list it.
import { env } from "cloudflare:workers";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";

/** Writes the rows of the tenant and of the session. */
export async function listInDatabase(init: SessionInit): Promise<void> {
  const { tenant_id, session_id: id, agent_id, agent_version, end_user_id, created_at } = init;
  await env.DB.prepare(
    "INSERT OR IGNORE INTO tenants (id, name, metadata, created_at) VALUES (?, 'Shop', '{}', ?)",
  )
    .bind(tenant_id, created_at)
    .run();
  const { metadata } = init;
  const summary = { id, agent_id, agent_version, follows_latest: false, end_user_id, metadata };
  const { sessions } = tenantStorage(env.DB, tenant_id);
  await sessions.insert({ ...summary, title: null, created_at, forked_from: null });
}

/** Rows of the session in one table of D1. */
export async function databaseRows(
  table: string,
  { session_id }: Pick<SessionInit, "session_id">,
): Promise<readonly Record<string, unknown>[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE session_id = ?`)
    .bind(session_id)
    .all();
  return results;
}
