import { and, desc, eq, lt } from "drizzle-orm";

import type { McpServer, McpServerDefinition } from "../../protocol/mcp/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { mcpServers } from "./table.ts";
import { mcpCredentialIds } from "./mcp-credential-ids.ts";

/** A tenant's MCP servers. A name is unique among them. */
export interface McpServerStorage {
  /** @returns false when another server of the tenant has the name. */
  insert(server: McpServer, keep?: KeepAnswer, audit?: WriteAudit): Promise<boolean>;
  list(request: ListRequest): Promise<Page<McpServer>>;
  read(serverId: string): Promise<McpServer | null>;
  /** The ids among `ids` that exist. */
  findIds(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Writes the version after `current.version`. Null when the server was changed or deleted since `current` was read,
   * `taken` when another one has its new name.
   */
  update(
    current: McpServer,
    definition: McpServerDefinition,
    updatedAt: string,
    audit?: WriteAudit,
  ): Promise<McpServer | "taken" | null>;
  /** Returns whether it existed. Agents that name it continue without its tools. */
  remove(serverId: string, audit?: WriteAudit): Promise<boolean>;
}

export function mcpServerStorage(database: Database, tenantId: string): McpServerStorage {
  const isTenants = eq(mcpServers.tenant_id, tenantId);

  return {
    async insert({ id, version, created_at, updated_at, ...definition }, keep, audit) {
      const row = {
        ...valuesOf(definition),
        id,
        tenant_id: tenantId,
        version,
        created_at,
        updated_at,
      };
      const inserted = database.insert(mcpServers).values(row);
      try {
        await runInBatch(database, inserted, keep, audit);
        return true;
      } catch (error) {
        if (isNameTaken(error)) return false;
        throw error;
      }
    },

    async list({ before, limit }) {
      const rows = await database
        .select()
        .from(mcpServers)
        .where(and(isTenants, before ? lt(mcpServers.id, before) : undefined))
        .orderBy(desc(mcpServers.id))
        .limit(limit + 1);
      return toPage(rows.map(toMcpServer), limit);
    },

    async read(serverId) {
      const [row] = await database
        .select()
        .from(mcpServers)
        .where(and(isTenants, eq(mcpServers.id, serverId)));
      return row ? toMcpServer(row) : null;
    },

    async findIds(ids) {
      if (ids.length === 0) return new Set();
      const rows = await database
        .select({ id: mcpServers.id })
        .from(mcpServers)
        .where(and(isTenants, isOneOf(mcpServers.id, ids)));
      return new Set(rows.map(({ id }) => id));
    },

    async update(current, definition, updatedAt, audit) {
      const updated = database
        .update(mcpServers)
        .set({
          ...valuesOf(definition),
          version: current.version + 1,
          updated_at: updatedAt,
        })
        .where(
          and(isTenants, eq(mcpServers.id, current.id), eq(mcpServers.version, current.version)),
        )
        .returning();
      try {
        const [row] = await runInBatch(database, updated, undefined, audit);
        return row ? toMcpServer(row) : null;
      } catch (error) {
        if (isNameTaken(error)) return "taken";
        throw error;
      }
    },

    async remove(serverId, audit) {
      const removed = database
        .delete(mcpServers)
        .where(and(isTenants, eq(mcpServers.id, serverId)))
        .returning({ id: mcpServers.id });
      const rows = await runInBatch(database, removed, undefined, audit);
      return rows.length > 0;
    },
  };
}

function valuesOf(definition: McpServerDefinition) {
  const credential_ids = mcpCredentialIds(definition);
  return { name: definition.name, definition, credential_ids };
}

export function toMcpServer(row: typeof mcpServers.$inferSelect): McpServer {
  const { id, definition, version, created_at, updated_at } = row;
  return { id, ...definition, version, created_at, updated_at };
}

/** D1 distinguishes constraints only by the error message, and drizzle wraps the error. */
function isNameTaken(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/UNIQUE constraint failed: mcp_servers\.tenant_id, mcp_servers\.name/.test(cause.message)) {
      return true;
    }
  }
  return false;
}
