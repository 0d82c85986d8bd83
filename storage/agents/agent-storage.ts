import { and, desc, eq, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";

import type { Agent, AgentDefinition, AgentVersion } from "../../protocol/agents/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { isUniqueViolation } from "../statements/is-unique-violation.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { findMissingAgents, type MissingAgent, type NamedAgent } from "./find-missing-agents.ts";
import { agents, agentVersions, nameIn } from "./table.ts";

/** Versions of a deleted agent removed by one statement: some dozen megabytes with the largest definitions. */
const REMOVED_VERSIONS = 50;

export interface AgentStorage {
  /** Writes version 1. @param answerStatement Makes the statement that stores the answer under the idempotency key. */
  insert(
    agentId: string,
    definition: AgentDefinition,
    createdAt: string,
    answerStatement?: (agent: Agent) => KeepAnswer | undefined,
    audit?: WriteAudit,
  ): Promise<Agent>;
  /** The current version, or null when there is no such agent or it was deleted. */
  read(agentId: string): Promise<Agent | null>;
  list(request: ListRequest): Promise<Page<Agent>>;
  /** Of these the ones that there are not, or not in this version. One query. */
  findMissing(named: readonly NamedAgent[]): Promise<readonly MissingAgent[]>;
  /** The ids of agents whose current version has this name, in no particular order. Reads an index alone. */
  findNamed(name: string, limit: number): Promise<readonly string[]>;
  /**
   * Writes `definition` as the version after `current.version` (optimistic locking).
   * Null when the agent was changed or deleted since `current` was read; then nothing is written.
   */
  update(
    current: Agent,
    definition: AgentDefinition,
    updatedAt: string,
    audit?: WriteAudit,
  ): Promise<Agent | null>;
  /**
   * Newest first; null when there is no such agent or it was deleted.
   * @param before Only versions below this one.
   */
  listVersions(
    agentId: string,
    request: { readonly before?: number; readonly limit: number },
  ): Promise<Page<AgentVersion> | null>;
  /** Null when there is no such version or the agent was deleted. */
  readVersion(agentId: string, version: number): Promise<AgentVersion | null>;
  /**
   * Retires a version, or brings it back. Null when there is no such version, the agent was deleted, it is the newest one or
   * it is so already; then nothing is written.
   * @param retiredAt Null brings it back.
   */
  setRetired(
    agentId: string,
    version: number,
    retiredAt: string | null,
    audit?: WriteAudit,
  ): Promise<AgentVersion | null>;
  /** Returns whether it existed. Its versions are deleted too: open sessions have copies of their own. */
  remove(agentId: string, deletedAt: string, audit?: WriteAudit): Promise<boolean>;
}

export function agentStorage(database: Database, tenantId: string): AgentStorage {
  function select() {
    return database
      .select({ agent: agents, definition: agentVersions.definition })
      .from(agents)
      .innerJoin(
        agentVersions,
        and(
          eq(agentVersions.tenant_id, tenantId),
          eq(agentVersions.agent_id, agents.id),
          eq(agentVersions.version, agents.version),
        ),
      );
  }
  function isOurs(agentId: string) {
    return and(eq(agents.tenant_id, tenantId), eq(agents.id, agentId), isNull(agents.deleted_at));
  }
  function selectVersions(agentId: string) {
    return database
      .select({ version: agentVersions })
      .from(agentVersions)
      .innerJoin(agents, and(isOurs(agentId), eq(agents.id, agentVersions.agent_id)))
      .$dynamic();
  }
  function isVersionOf(agentId: string) {
    return and(eq(agentVersions.tenant_id, tenantId), eq(agentVersions.agent_id, agentId));
  }
  function insertVersion(
    agentId: string,
    version: number,
    { definition, createdAt }: { definition: AgentDefinition; createdAt: string },
  ) {
    return database.insert(agentVersions).values({
      tenant_id: tenantId,
      agent_id: agentId,
      version,
      definition,
      created_at: createdAt,
    });
  }

  /** Deletes the versions of a deleted agent in parts, because each may have a megabyte. @returns their number. */
  async function removeVersions(agentId: string): Promise<number> {
    const isDeleted = database
      .select({ id: agents.id })
      .from(agents)
      .where(and(eq(agents.tenant_id, tenantId), isNotNull(agents.deleted_at)));
    for (let removed = 0; ;) {
      const some = database
        .select({ version: agentVersions.version })
        .from(agentVersions)
        .where(isVersionOf(agentId))
        .limit(REMOVED_VERSIONS);
      const rows = await database
        .delete(agentVersions)
        .where(
          and(
            isVersionOf(agentId),
            inArray(agentVersions.agent_id, isDeleted),
            inArray(agentVersions.version, some),
          ),
        )
        .returning({ version: agentVersions.version });
      removed += rows.length;
      if (rows.length < REMOVED_VERSIONS) return removed;
    }
  }

  return {
    async insert(agentId, definition, createdAt, answerStatement, audit) {
      const agent = {
        id: agentId,
        tenant_id: tenantId,
        version: 1,
        created_at: createdAt,
        updated_at: createdAt,
        deleted_at: null,
      };
      const shown = toAgent({ agent, definition });
      const keep = answerStatement?.(shown);
      await database.batch([
        database.insert(agents).values(agent),
        insertVersion(agentId, 1, { definition, createdAt }),
        ...recordStatements(database, audit, keep),
      ]);
      return shown;
    },

    async read(agentId) {
      const [row] = await select().where(isOurs(agentId));
      return row ? toAgent(row) : null;
    },

    findMissing: (named) => findMissingAgents(database, tenantId, named),

    async findNamed(name, limit) {
      const isCurrent = and(
        eq(agents.id, agentVersions.agent_id),
        eq(agents.version, agentVersions.version),
        sql`+${agents.tenant_id} = ${tenantId}`,
        isNull(agents.deleted_at),
      );
      const rows = await database
        .select({ id: agentVersions.agent_id })
        .from(agentVersions)
        .innerJoin(agents, isCurrent)
        .where(
          and(eq(agentVersions.tenant_id, tenantId), eq(nameIn(agentVersions.definition), name)),
        )
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    async list({ before, limit }) {
      const rows = await select()
        .where(
          and(
            eq(agents.tenant_id, tenantId),
            isNull(agents.deleted_at),
            before ? lt(agents.id, before) : undefined,
          ),
        )
        .orderBy(desc(agents.id))
        .limit(limit + 1);
      return toPage(rows.map(toAgent), limit);
    },

    async update(current, definition, updatedAt, audit) {
      const version = current.version + 1;
      const isCurrent = and(isOurs(current.id), eq(agents.version, current.version));
      // Not for an agent that was deleted meanwhile: that version would never be removed.
      const inserted = database
        .insert(agentVersions)
        .select(
          database
            .select({
              tenant_id: agents.tenant_id,
              agent_id: agents.id,
              version: sql`${version}`.as("version"),
              definition: sql`${JSON.stringify(definition)}`.as("definition"),
              created_at: sql`${updatedAt}`.as("created_at"),
              retired_at: sql`NULL`.as("retired_at"),
            })
            .from(agents)
            .where(isCurrent),
        )
        .returning({ version: agentVersions.version });
      // Concurrent updates of one version collide on the primary key of `agent_versions`: the second batch is rolled
      // back.
      try {
        const [rows] = await database.batch([
          inserted,
          database.update(agents).set({ version, updated_at: updatedAt }).where(isCurrent),
          ...recordStatements(database, audit),
        ]);
        if (rows.length === 0) return null;
      } catch (error) {
        if (isUniqueViolation(error)) return null;
        throw error;
      }
      return { ...current, ...definition, version, updated_at: updatedAt };
    },

    async listVersions(agentId, { before, limit }) {
      const rows = await selectVersions(agentId)
        .where(
          and(
            isVersionOf(agentId),
            before === undefined ? undefined : lt(agentVersions.version, before),
          ),
        )
        .orderBy(desc(agentVersions.version))
        .limit(limit + 1);
      if (rows.length === 0 && !(await this.read(agentId))) return null;
      return toPage(rows.map(toVersion), limit, ({ version }) => String(version));
    },

    async readVersion(agentId, version) {
      const [row] = await selectVersions(agentId).where(
        and(isVersionOf(agentId), eq(agentVersions.version, version)),
      );
      return row ? toVersion(row) : null;
    },

    async setRetired(agentId, version, retired_at, audit) {
      const newest = database
        .select({ version: agents.version })
        .from(agents)
        .where(isOurs(agentId));
      const { retired_at: before } = agentVersions;
      const update = database
        .update(agentVersions)
        .set({ retired_at })
        .where(
          and(
            isVersionOf(agentId),
            eq(agentVersions.version, version),
            // Also where there is no such agent any more.
            lt(agentVersions.version, sql`(${newest})`),
            retired_at === null ? isNotNull(before) : isNull(before),
          ),
        )
        .returning();
      const [row] = await runInBatch(database, update, undefined, audit);
      return row ? toVersion({ version: row }) : null;
    },

    async remove(agentId, deletedAt, audit) {
      const hide = database
        .update(agents)
        .set({ deleted_at: deletedAt })
        .where(isOurs(agentId))
        .returning({ id: agents.id });
      const rows = await runInBatch(database, hide, undefined, audit);
      // Sessions have copies of their own. An interrupted deletion continues when it is repeated.
      const removed = await removeVersions(agentId);
      return rows.length > 0 || removed > 0;
    },
  };
}

function toAgent(row: { agent: typeof agents.$inferSelect; definition: AgentDefinition }): Agent {
  const { id, version, created_at, updated_at } = row.agent;
  return { id, version, ...row.definition, created_at, updated_at };
}

function toVersion(row: { version: typeof agentVersions.$inferSelect }): AgentVersion {
  const { agent_id, version, definition, created_at, retired_at } = row.version;
  return { agent_id, version, ...definition, created_at, retired_at };
}
