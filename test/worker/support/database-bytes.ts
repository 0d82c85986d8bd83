// Tables of D1 whose rows are counted as `database_bytes`, with the bytes of a row as the triggers count them.
import { env } from "cloudflare:workers";

export const DATABASE_BYTES: Readonly<Record<string, string>> = {
  a2a_tasks:
    "400 + ifnull(length(CAST(context_id AS BLOB)), 0) + ifnull(length(CAST(end_user_id AS BLOB)), 0)",
  agents: "200",
  api_keys: "400 + ifnull(length(CAST(name AS BLOB)), 0)",
  audit_entries:
    "300 + ifnull(length(CAST(target_id AS BLOB)), 0) + ifnull(length(CAST(before AS BLOB)), 0) + ifnull(length(CAST(after AS BLOB)), 0) + ifnull(length(CAST(address AS BLOB)), 0)",
  connections:
    "500 + ifnull(length(CAST(end_user_id AS BLOB)), 0) + ifnull(length(CAST(bound_to AS BLOB)), 0) + ifnull(length(CAST(issuer AS BLOB)), 0) + ifnull(length(CAST(scope AS BLOB)), 0) + ifnull(length(CAST(failure AS BLOB)), 0) + ifnull(length(CAST(grant AS BLOB)), 0) + ifnull(length(CAST(attempt AS BLOB)), 0) + ifnull(length(CAST(session_ids AS BLOB)), 0)",
  console_sessions: "500 + ifnull(length(CAST(scopes AS BLOB)), 0)",
  credentials:
    "200 + ifnull(length(CAST(name AS BLOB)), 0) + ifnull(length(CAST(sealed AS BLOB)), 0) + ifnull(length(CAST(allowed_hosts AS BLOB)), 0)",
  decisions:
    "400 + ifnull(length(CAST(tool_call_id AS BLOB)), 0) + ifnull(length(CAST(tool_name AS BLOB)), 0) + ifnull(length(CAST(end_user_id AS BLOB)), 0) + ifnull(length(CAST(reason AS BLOB)), 0) + ifnull(length(CAST(rule AS BLOB)), 0)",
  file_references: "200",
  idempotency_keys:
    "300 + ifnull(length(CAST(path AS BLOB)), 0) + ifnull(length(CAST(key AS BLOB)), 0) + ifnull(length(CAST(answer AS BLOB)), 0)",
  inbound_endpoints:
    "200 + ifnull(length(CAST(name AS BLOB)), 0) + ifnull(length(CAST(sealed AS BLOB)), 0) + ifnull(length(CAST(old_sealed AS BLOB)), 0)",
  inbound_messages: "200 + ifnull(length(CAST(webhook_id AS BLOB)), 0)",
  rooms:
    "300 + ifnull(length(CAST(title AS BLOB)), 0) + ifnull(length(CAST(metadata AS BLOB)), 0) + ifnull(length(CAST(turns AS BLOB)), 0)",
  room_inputs:
    "300 + ifnull(length(CAST(participant AS BLOB)), 0) + ifnull(length(CAST(form AS BLOB)), 0)",
  room_members:
    "300 + ifnull(length(CAST(name AS BLOB)), 0) + ifnull(length(CAST(end_user_id AS BLOB)), 0)",
  memory_stores: "300 + ifnull(length(CAST(end_user_id AS BLOB)), 0)",
  members: "300 + ifnull(length(CAST(name AS BLOB)), 0) + ifnull(length(CAST(email AS BLOB)), 0)",
  mcp_catalogues:
    "200 + ifnull(length(CAST(end_user_id AS BLOB)), 0) + ifnull(length(CAST(dialect AS BLOB)), 0) + ifnull(length(CAST(tools AS BLOB)), 0) + ifnull(length(CAST(failure AS BLOB)), 0)",
  mcp_servers:
    "300 + ifnull(length(CAST(definition AS BLOB)), 0) + ifnull(length(CAST(credential_ids AS BLOB)), 0)",
  oauth_clients:
    "200 + ifnull(length(CAST(issuer AS BLOB)), 0) + ifnull(length(CAST(client AS BLOB)), 0)",
  pending_calls:
    "300 + ifnull(length(CAST(tool_call_id AS BLOB)), 0) + ifnull(length(CAST(tool_name AS BLOB)), 0) + ifnull(length(CAST(end_user_id AS BLOB)), 0) + ifnull(length(CAST(call AS BLOB)), 0)",
  reply_hours: "800",
  session_states: "600",
  sessions:
    "400 + ifnull(length(CAST(end_user_id AS BLOB)), 0) + ifnull(length(CAST(metadata AS BLOB)), 0) + ifnull(length(CAST(forked_from AS BLOB)), 0) + ifnull(length(CAST(title AS BLOB)), 0)",
  skill_versions:
    "200 + ifnull(length(CAST(description AS BLOB)), 0) + ifnull(length(CAST(files AS BLOB)), 0)",
  skills:
    "200 + ifnull(length(CAST(name AS BLOB)), 0) + ifnull(length(CAST(description AS BLOB)), 0)",
  triggers:
    "500 + ifnull(length(CAST(definition AS BLOB)), 0) + ifnull(length(CAST(metadata AS BLOB)), 0) + ifnull(length(CAST(sealed AS BLOB)), 0) + ifnull(length(CAST(old_sealed AS BLOB)), 0)",
  usage: "300",
  usage_days: "250",
  usage_end_users: "300 + ifnull(length(CAST(end_user_id AS BLOB)), 0)",
  webhook_announcements: "200 + ifnull(length(CAST(tool_call_id AS BLOB)), 0)",
  webhook_attempts: "200 + ifnull(length(CAST(error AS BLOB)), 0)",
  webhook_deliveries: "500 + ifnull(length(CAST(payload AS BLOB)), 0)",
  webhook_endpoints:
    "400 + ifnull(length(CAST(url AS BLOB)), 0) + ifnull(length(CAST(description AS BLOB)), 0) + ifnull(length(CAST(events AS BLOB)), 0) + ifnull(length(CAST(sealed AS BLOB)), 0) + ifnull(length(CAST(old_sealed AS BLOB)), 0)",
};

/** The bytes of a tenant's rows, as the rows themselves say, added up one by one. */
export async function sumDatabaseBytes(tenantId: string): Promise<number> {
  const sums = Object.entries(DATABASE_BYTES).map(
    ([table, bytes]) =>
      `(SELECT coalesce(sum(${bytes.replace(/\bgrant\b/, '"grant"')}), 0) FROM ${table} WHERE tenant_id = ?1)`,
  );
  const parts = await env.DB.batch<{ bytes: number }>(
    sums.map((sum) => env.DB.prepare(`SELECT ${sum} AS bytes`).bind(tenantId)),
  );
  return parts.reduce((all, { results }) => all + (results[0]?.bytes ?? 0), 0);
}
