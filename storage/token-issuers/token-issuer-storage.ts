import { and, asc, desc, eq, isNull, lt } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type { TokenIssuer } from "../../protocol/token-issuers/contract.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { openDatabase, type Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { agents } from "../agents/table.ts";
import { tokenIssuers } from "./table.ts";

/** The identity providers whose tokens a tenant accepts. */
export interface TokenIssuerStorage {
  /** False, and nothing is written, when the tenant has as many as it may have. */
  insert(issuer: TokenIssuer, keep?: KeepAnswer, audit?: WriteAudit): Promise<boolean>;
  list(request: ListRequest): Promise<Page<TokenIssuer>>;
  read(issuerId: string): Promise<TokenIssuer | null>;
  /** Returns whether it existed. */
  remove(issuerId: string, audit?: WriteAudit): Promise<boolean>;
}

const SHOWN = {
  id: tokenIssuers.id,
  name: tokenIssuers.name,
  issuer: tokenIssuers.issuer,
  jwks_url: tokenIssuers.jwks_url,
  audience: tokenIssuers.audience,
  end_user_claim: tokenIssuers.end_user_claim,
  end_user_prefix: tokenIssuers.end_user_prefix,
  verbs: tokenIssuers.verbs,
  agent_ids: tokenIssuers.agent_ids,
  allowed_origins: tokenIssuers.allowed_origins,
  created_at: tokenIssuers.created_at,
  created_by: tokenIssuers.created_by,
  end_user_share: tokenIssuers.end_user_share,
};

export function tokenIssuerStorage(database: Database, tenantId: string): TokenIssuerStorage {
  const isTenants = eq(tokenIssuers.tenant_id, tenantId);
  function isOurs(issuerId: string) {
    return and(isTenants, eq(tokenIssuers.id, issuerId));
  }

  return {
    async insert(issuer, keep, audit) {
      const statement = database.insert(tokenIssuers).values({ ...issuer, tenant_id: tenantId });
      try {
        await runInBatch(database, statement, keep, audit);
        return true;
      } catch (error) {
        if (isFull(error)) return false;
        throw error;
      }
    },

    async list({ before, limit }) {
      const rows = await database
        .select(SHOWN)
        .from(tokenIssuers)
        .where(and(isTenants, before ? lt(tokenIssuers.id, before) : undefined))
        .orderBy(desc(tokenIssuers.id))
        .limit(limit + 1);
      return toPage(rows, limit);
    },

    async read(issuerId) {
      const [row] = await database.select(SHOWN).from(tokenIssuers).where(isOurs(issuerId));
      return row ?? null;
    },

    async remove(issuerId, audit) {
      const removed = database
        .delete(tokenIssuers)
        .where(isOurs(issuerId))
        .returning({ id: tokenIssuers.id });
      return (await runInBatch(database, removed, undefined, audit)).length > 0;
    },
  };
}

/** The trigger `token_issuers_bounded` has refused the row. */
function isFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("token_issuers_full")) return true;
  }
  return false;
}

/** An agent's tenant, and that tenant's issuers for it, oldest first. */
export interface AgentIssuers {
  readonly tenant_id: string;
  readonly issuers: readonly TokenIssuer[];
}

/**
 * Finds the issuers by an agent alone: for requests whose credential does not tell the tenant. Null for an unknown
 * or deleted agent, and for one whose tenant has no issuer for it.
 */
export async function findAgentIssuers(
  binding: D1Database,
  agentId: string,
): Promise<AgentIssuers | null> {
  const rows = await openDatabase(binding)
    .select({ tenant_id: agents.tenant_id, issuer: SHOWN })
    .from(agents)
    .innerJoin(tokenIssuers, eq(tokenIssuers.tenant_id, agents.tenant_id))
    .where(and(eq(agents.id, agentId), isNull(agents.deleted_at)))
    .orderBy(asc(tokenIssuers.id));
  const found = rows.filter(
    ({ issuer: { agent_ids } }) => agent_ids === null || agent_ids.includes(agentId),
  );
  const [first] = found;
  return first ? { tenant_id: first.tenant_id, issuers: found.map(({ issuer }) => issuer) } : null;
}
