import { and, desc, eq } from "drizzle-orm";

import type { AgentDefinition } from "../protocol/api/agents.ts";
import type { SealedSecret, WrappedKey } from "./credential-cipher.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./database.ts";
import { isOneOf } from "./is-one-of.ts";
import { namedCredentials } from "./named-credentials.ts";
import { agentVersions, credentials, tenantKeys } from "./schema.ts";

/** One version of an agent with the secrets that it names, sealed: all that a session pins. */
export interface AgentSnapshot {
  readonly version: number;
  readonly definition: AgentDefinition;
  /** By credential id. A credential that was deleted is not in it. */
  readonly credentials: Readonly<Record<string, SealedSecret>>;
  /** Left out when the definition names no credential. */
  readonly tenant_key?: WrappedKey;
}

/**
 * Null when the tenant has no such agent or version. Nothing is left of a deleted one's: sessions that follow it
 * go on with the version that they have. One query, and another when the definition names credentials.
 */
export async function readAgentSnapshot(
  binding: D1Database,
  tenantId: string,
  agentId: string,
  version: number | "latest",
): Promise<AgentSnapshot | null> {
  const database = openDatabase(binding);
  const [row] = await database
    .select({ version: agentVersions.version, definition: agentVersions.definition })
    .from(agentVersions)
    .where(
      and(
        eq(agentVersions.tenant_id, tenantId),
        eq(agentVersions.agent_id, agentId),
        version === "latest" ? undefined : eq(agentVersions.version, version),
      ),
    )
    .orderBy(desc(agentVersions.version))
    .limit(1);
  if (!row) return null;
  const ids = namedCredentials(row.definition).map(({ id }) => id);
  if (ids.length === 0) return { ...row, credentials: {} };
  return { ...row, ...(await readSealed(database, tenantId, [...new Set(ids)])) };
}

async function readSealed(database: Database, tenantId: string, ids: readonly string[]) {
  const [secrets, [key]] = await database.batch([
    database
      .select({ id: credentials.id, sealed: credentials.sealed })
      .from(credentials)
      .where(and(eq(credentials.tenant_id, tenantId), isOneOf(credentials.id, ids))),
    database
      .select({ wrapped: tenantKeys.wrapped })
      .from(tenantKeys)
      .where(eq(tenantKeys.tenant_id, tenantId)),
  ]);
  return {
    credentials: Object.fromEntries(secrets.map(({ id, sealed }) => [id, sealed])),
    tenant_key: key?.wrapped,
  };
}
