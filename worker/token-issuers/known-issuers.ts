// A short-lived cache of agents' token issuers, of one isolate.
import { ISSUER_CACHE_MS, MAX_CACHED_ISSUERS } from "../../protocol/token-issuers/limits.ts";
import {
  findAgentIssuers,
  type AgentIssuers,
} from "../../storage/token-issuers/token-issuer-storage.ts";
import { withLookupDeadline } from "../auth/with-lookup-deadline.ts";

interface CachedIssuers {
  readonly found: AgentIssuers | null;
  readonly readAtMs: number;
}

const known = new Map<string, CachedIssuers>();

/**
 * The tenant of an agent and its issuers for it, at most `ISSUER_CACHE_MS` old; null when there are none. A flood of
 * unknown agents evicts what is known, which costs a query each.
 * @throws the errors of D1.
 */
export async function findIssuers(
  database: D1Database,
  agentId: string,
): Promise<AgentIssuers | null> {
  const cached = known.get(agentId);
  if (cached && Date.now() - cached.readAtMs < ISSUER_CACHE_MS) return cached.found;
  const found = await withLookupDeadline(findAgentIssuers(database, agentId));
  known.delete(agentId);
  known.set(agentId, { found, readAtMs: Date.now() });
  const [oldest] = known.keys();
  if (known.size > MAX_CACHED_ISSUERS && oldest !== undefined) known.delete(oldest);
  return found;
}

/** Whether {@link findIssuers} needs no query. */
export function isKnownAgent(agentId: string): boolean {
  const cached = known.get(agentId);
  return cached !== undefined && Date.now() - cached.readAtMs < ISSUER_CACHE_MS;
}

/** After a change of a tenant's issuers: at once in this isolate, within `ISSUER_CACHE_MS` in others. */
export function forgetIssuers(): void {
  known.clear();
}
