import { sql } from "drizzle-orm";

import type { Database } from "../statements/database.ts";
import { agents, agentVersions } from "./table.ts";

export interface NamedAgent {
  readonly agent_id: string;
  /** Any when left out. */
  readonly version?: number | undefined;
}

export interface MissingAgent extends NamedAgent {
  /** False where the version alone is missing. */
  readonly isAgentMissing: boolean;
}

/** Of these the ones that the tenant does not have, or not in this version. One query. */
export async function findMissingAgents(
  database: Database,
  tenantId: string,
  named: readonly NamedAgent[],
): Promise<readonly MissingAgent[]> {
  const asked = named.map(({ agent_id, version }) => [agent_id, version ?? null]);
  const isNamed = sql`${agents.id} = json_extract(value, '$[0]') AND ${agents.tenant_id} = ${tenantId}
    AND ${agents.deleted_at} IS NULL`;
  const rows = await database.all<{ id: string; version: number | null; is_there: number }>(
    sql`SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS version,
        EXISTS (SELECT 1 FROM ${agents} WHERE ${isNamed}) AS is_there
      FROM json_each(${JSON.stringify(asked)})
      WHERE NOT EXISTS (SELECT 1 FROM ${agents}
        JOIN ${agentVersions} ON ${agentVersions.agent_id} = ${agents.id}
        WHERE ${isNamed} AND ${agentVersions.tenant_id} = ${tenantId}
        AND ${agentVersions.version} = coalesce(json_extract(value, '$[1]'), ${agents.version}))`,
  );
  return rows.map(({ id, version, is_there }) => ({
    agent_id: id,
    ...(version !== null && { version }),
    isAgentMissing: is_there === 0,
  }));
}
