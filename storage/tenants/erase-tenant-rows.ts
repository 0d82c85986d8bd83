// Erases a closed tenant's rows in D1 after its sessions, a bounded number of rows at a time. Each statement finds its
// rows by an index and is idempotent.
import { ERASED_ROWS, MAX_ERASURE_STATEMENTS } from "../../protocol/operator/limits.ts";

/** Deletes at most `?2` rows of `table` of the tenant `?1`. */
function ofTenant(table: string, key: string): string {
  return `DELETE FROM ${table} WHERE (${key}) IN
    (SELECT ${key} FROM ${table} WHERE tenant_id = ?1 LIMIT ?2)`;
}

/** Dependent rows come before the rows through which they are found. */
const STATEMENTS: readonly string[] = [
  `DELETE FROM webhook_attempts WHERE (delivery_id, attempt) IN
    (SELECT a.delivery_id, a.attempt FROM webhook_deliveries d
     JOIN webhook_attempts a ON a.delivery_id = d.id WHERE d.tenant_id = ?1 LIMIT ?2)`,
  ofTenant("webhook_deliveries", "id"),
  ofTenant("webhook_leases", "tenant_id, endpoint_id, delivery_id, attempt"),
  ofTenant("webhook_endpoints", "id"),
  ofTenant("triggers", "id"),
  ofTenant("a2a_tasks", "id"),
  `DELETE FROM inbound_messages WHERE (endpoint_id, webhook_id) IN
    (SELECT m.endpoint_id, m.webhook_id FROM inbound_endpoints e
     JOIN inbound_messages m ON m.endpoint_id = e.id WHERE e.tenant_id = ?1 LIMIT ?2)`,
  ofTenant("inbound_endpoints", "id"),
  `DELETE FROM file_references WHERE (session_id, file_id) IN
    (SELECT r.session_id, r.file_id FROM files f
     JOIN file_references r ON r.file_id = f.id WHERE f.tenant_id = ?1 LIMIT ?2)`,
  `DELETE FROM skill_versions WHERE (skill_id, version) IN
    (SELECT v.skill_id, v.version FROM skills s
     JOIN skill_versions v ON v.skill_id = s.id WHERE s.tenant_id = ?1 LIMIT ?2)`,
  ofTenant("skills", "id"),
  ofTenant("files", "id"),
  // The servers' catalogues go with them, by a trigger.
  ofTenant("mcp_servers", "id"),
  // Of a session that has read one while its server was deleted.
  ofTenant("mcp_catalogues", "server_id, end_user_id"),
  ofTenant("connections", "id"),
  ofTenant("oauth_clients", "mcp_server_id, issuer"),
  ofTenant("credentials", "id"),
  // Deleted by closing; a request that was admitted before may have created a new one.
  ofTenant("tenant_keys", "tenant_id"),
  `DELETE FROM agent_versions WHERE (agent_id, version) IN
    (SELECT v.agent_id, v.version FROM agents a
     JOIN agent_versions v ON v.agent_id = a.id WHERE a.tenant_id = ?1 LIMIT ?2)`,
  ofTenant("agents", "id"),
  ofTenant("console_sessions", "id"),
  ofTenant("passkeys", "tenant_id, id"),
  ofTenant("answered_challenges", "tenant_id, hash"),
  ofTenant("member_identities", "tenant_id, provider_id, subject"),
  ofTenant("sign_in_providers", "id"),
  ofTenant("members", "id"),
  ofTenant("token_issuers", "id"),
  ofTenant("room_inputs", "room_id, turn_id"),
  ofTenant("room_members", "room_id, name"),
  ofTenant("rooms", "id"),
  ofTenant("api_keys", "id"),
  ofTenant("usage", "tenant_id, session_id, reply_id"),
  ofTenant("usage_days", "tenant_id, day, agent_id, model_name"),
  ofTenant("usage_end_users", "tenant_id, day, end_user_id, agent_id, model_name"),
  ofTenant("reply_hours", "tenant_id, hour, agent_id, model_name"),
  ofTenant("end_user_removals", "tenant_id, end_user_id"),
  ofTenant("search_changes", "tenant_id, session_id"),
  ofTenant("search_indexes", "tenant_id"),
  // Of deliveries that came while a session was erased.
  ofTenant("decisions", "tenant_id, decided_at, session_id, seq, position"),
  ofTenant("idempotency_keys", "tenant_id, path, key"),
  // Of end users who have nothing left there is no row.
  ofTenant("end_user_counts", "tenant_id, holder"),
  ofTenant("tenant_counts", "tenant_id"),
];

/** The row stays with the tenant's id and status alone. */
const FORGET = `UPDATE tenants SET name = '', metadata = '{}', removal_due_at = NULL
  WHERE id = ?1 AND status = 'closed'`;

/**
 * One step: at most {@link MAX_ERASURE_STATEMENTS} statements of {@link ERASED_ROWS} rows each.
 * @returns whether everything is erased. @throws when D1 fails; the next step continues.
 */
export async function eraseTenantRows(database: D1Database, tenantId: string): Promise<boolean> {
  let left = MAX_ERASURE_STATEMENTS;
  for (const statement of STATEMENTS) {
    for (let deleted = ERASED_ROWS; deleted === ERASED_ROWS; left -= 1) {
      if (left === 0) return false;
      deleted = await deleteRows(database, statement, tenantId);
    }
  }
  await database.prepare(FORGET).bind(tenantId).run();
  return true;
}

/** Counts the rows returned, because D1's count of changes includes the rows that triggers write. */
async function deleteRows(
  database: D1Database,
  statement: string,
  tenantId: string,
): Promise<number> {
  const { results } = await database
    .prepare(`${statement} RETURNING 1`)
    .bind(tenantId, ERASED_ROWS)
    .all();
  return results.length;
}
