// Rows of sessions that have talked, as their objects would have left them in D1: straight into the database, since
// the API would take hours.

export interface Fill {
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessions: number;
}

/** SQL: a second after each other, all of them before any session that is opened now. */
const TIME = "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1600000000 + n, 'unixepoch')";
/** Over which they have used something, today the last: those that a report covers. */
const DAYS = 30;
/** Who have them, in turns. */
const END_USERS = 20;
/** One in so many waits for somebody. */
const WAITING = 20;

/**
 * A session, its state and what its reply has used, with the sums. Ids are older than any that is
 * given now.
 */
export function fillSessions({ tenantId, agentId, sessions }: Fill): readonly string[] {
  // The tail of the tenant's id keeps tenants apart; the number has the place of the time.
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

/** Tenants after the first `from` up to `to` of them, with a key and sessions each. */
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
