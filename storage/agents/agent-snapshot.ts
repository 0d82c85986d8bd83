import { and, desc, eq, isNotNull } from "drizzle-orm";

import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { openDatabase } from "../statements/database.ts";
import { credentialIds } from "../credentials/named-credentials.ts";
import { agentVersions } from "./table.ts";
import {
  readSealedCredentials,
  type SealedCredentials,
} from "../credentials/sealed-credentials.ts";

/** One version of an agent with the credentials that it references, encrypted: what a session pins. */
export interface AgentSnapshot extends SealedCredentials {
  readonly version: number;
  readonly definition: AgentDefinition;
  /** Left out for one that is not retired. */
  readonly is_retired?: true;
}

/**
 * Null when the tenant has no such agent or version, or the agent was deleted: sessions that follow its latest version
 * then keep the one they have. One query, and a second one when the definition references credentials.
 */
export async function readAgentSnapshot(
  binding: D1Database,
  tenantId: string,
  agentId: string,
  version: number | "latest",
): Promise<AgentSnapshot | null> {
  const database = openDatabase(binding);
  const [row] = await database
    .select({
      version: agentVersions.version,
      definition: agentVersions.definition,
      retired_at: agentVersions.retired_at,
    })
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
  const snapshot = await withCredentials(binding, tenantId, row);
  return row.retired_at === null ? snapshot : { ...snapshot, is_retired: true };
}

/** The newest version, for a session that has a retired one; null for a version that is not retired. */
export async function readReplacement(
  binding: D1Database,
  tenantId: string,
  agentId: string,
  version: number,
): Promise<AgentSnapshot | null> {
  const database = openDatabase(binding);
  const [row] = await database
    .select({ version: agentVersions.version })
    .from(agentVersions)
    .where(
      and(
        eq(agentVersions.tenant_id, tenantId),
        eq(agentVersions.agent_id, agentId),
        eq(agentVersions.version, version),
        isNotNull(agentVersions.retired_at),
      ),
    );
  return row ? readAgentSnapshot(binding, tenantId, agentId, "latest") : null;
}

/** The snapshot of a version that was read already. One query when it references credentials; else none. */
export async function withCredentials(
  binding: D1Database,
  tenantId: string,
  { version, definition }: Pick<AgentSnapshot, "version" | "definition">,
): Promise<AgentSnapshot> {
  const ids = credentialIds(definition);
  const sealed = await readSealedCredentials(openDatabase(binding), tenantId, ids);
  return { version, definition, ...sealed };
}
