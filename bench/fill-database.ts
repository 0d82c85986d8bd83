// Generates rows of used sessions directly in D1, since the API would take hours.

export interface Fill {
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessions: number;
}

/** SQL: one second apart, all earlier than any session created now. */
const TIME = "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1600000000 + n, 'unixepoch')";
/** Days of usage up to today, as covered by a usage report. */
const DAYS = 30;
/** End users, assigned in turn. */
const END_USERS = 20;
/** One session in this many is waiting. */
const WAITING = 20;

/**
 * Rows of sessions with their state and usage, including the sums. Their ids are older than any new one.
 */
export function fillSessions({ tenantId, agentId, sessions }: Fill): readonly string[] {
  // Unique per tenant by the tail of its id; the number replaces the time.
  const id = (prefix: string) => `'${prefix}_' || printf('%010d', n) || '${tenantId.slice(-16)}'`;
  const numbers = numbersUpTo(1, sessions);
  const day = `date('now', '-' || (n % ${DAYS}) || ' days')`;
  return [
    `INSERT INTO sessions (id, tenant_id, agent_id, agent_version, follows_latest, end_user_id, metadata, created_at)
     ${numbers} SELECT ${id("ses")}, '${tenantId}', '${agentId}', 1, 0, 'user-' || (n % ${END_USERS}), '{}', ${TIME} FROM numbers`,
    `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version, bytes, session_created_at)
     ${numbers} SELECT ${id("ses")}, '${tenantId}', 10, iif(n % ${WAITING} = 0, 'awaiting_permission', 'idle'), 1, 0, ${TIME} FROM numbers`,
    `INSERT INTO usage (tenant_id, session_id, reply_id, entry, agent_id, model_name, day, input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens)
     ${numbers} SELECT '${tenantId}', ${id("ses")}, ${id("rep")}, 10, '${agentId}', 'mock', ${day}, 10, 10, 0, 0 FROM numbers`,
    `INSERT INTO usage_days (tenant_id, day, agent_id, model_name, replies, input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens)
     SELECT tenant_id, day, agent_id, model_name, count(*), sum(input_tokens), sum(output_tokens), 0, 0 FROM usage WHERE tenant_id = '${tenantId}' GROUP BY tenant_id, day, agent_id, model_name`,
  ];
}

/** Tenants number `from` to `to`, each with a key and sessions. */
export function fillTenants(from: number, to: number, sessionsOfEach: number): readonly string[] {
  const id = (prefix: string, value = "n") => `'${prefix}_' || printf('%026d', ${value})`;
  const tenants = numbersUpTo(from + 1, to);
  const sessions = numbersUpTo(from * sessionsOfEach + 1, to * sessionsOfEach);
  const tenant = id("ten", `(n + ${sessionsOfEach - 1}) / ${sessionsOfEach}`);
  return [
    `INSERT INTO tenants (id, name, metadata, created_at)
     ${tenants} SELECT ${id("ten")}, 'Filled', '{}', ${TIME} FROM numbers`,
    `INSERT INTO api_keys (id, tenant_id, mode, prefix, hash, scopes, created_at)
     ${tenants} SELECT ${id("key")}, ${id("ten")}, 'live', 'rk_live_0000', printf('%064x', n), '["*"]', ${TIME} FROM numbers`,
    `INSERT INTO sessions (id, tenant_id, agent_id, agent_version, follows_latest, metadata, created_at)
     ${sessions} SELECT ${id("ses")}, ${tenant}, ${id("agt")}, 1, 0, '{}', ${TIME} FROM numbers`,
    `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version, bytes, session_created_at)
     ${sessions} SELECT ${id("ses")}, ${tenant}, 10, 'idle', 1, 0, ${TIME} FROM numbers`,
  ];
}

function numbersUpTo(from: number, to: number): string {
  return `WITH RECURSIVE numbers(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})`;
}
