import { and, eq, isNull, sql } from "drizzle-orm";

import type { A2aSettings } from "../../protocol/a2a/contract.ts";
import { openDatabase } from "../statements/database.ts";
import { tenants } from "../tenants/table.ts";
import { agents, agentVersions } from "./table.ts";

/** The part of an agent that its card shows. */
export interface CardAgent {
  readonly name: string;
  readonly version: number;
  readonly a2a: A2aSettings;
}

/**
 * Finds an agent whose card is public by its id alone: for requests without a credential. Null for all others, also those of
 * a tenant that is suspended. Of the definition only what is shown is read.
 */
export async function findPublicCard(
  binding: D1Database,
  agentId: string,
): Promise<CardAgent | null> {
  const database = openDatabase(binding);
  const [row] = await database
    .select({
      version: agents.version,
      name: sql<string>`json_extract(${agentVersions.definition}, '$.name')`,
      a2a: sql<string | null>`json_extract(${agentVersions.definition}, '$.a2a')`,
    })
    .from(agents)
    .innerJoin(
      agentVersions,
      and(eq(agentVersions.agent_id, agents.id), eq(agentVersions.version, agents.version)),
    )
    .innerJoin(tenants, eq(tenants.id, agents.tenant_id))
    .where(and(eq(agents.id, agentId), isNull(agents.deleted_at), eq(tenants.status, "active")));
  if (!row?.a2a) return null;
  const { name, version } = row;
  const a2a = JSON.parse(row.a2a) as A2aSettings;
  return a2a.enabled && a2a.public_card === true ? { name, version, a2a } : null;
}
