// The connections of a tenant, for its routes; and the one that a browser comes back for.
import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";

import type { Connection, ConnectionStatus } from "../../protocol/mcp/connections.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { MAX_TOLD_CONNECTIONS } from "../../protocol/mcp/limits.ts";
import type { SignInAttempt } from "../../protocol/mcp/grant-store.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { openDatabase, type Database } from "../statements/database.ts";
import { toPage, type ListRequest } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { connections } from "./connection-table.ts";
import { mcpCatalogues } from "./table.ts";
import { ConnectionVault, type VaultBindings } from "./connection-vault.ts";
import { sha256 } from "./sha256.ts";

interface ConnectionListRequest extends ListRequest {
  readonly mcp_server_id?: string;
  readonly end_user_id?: string;
  readonly status?: ConnectionStatus;
}

/** The sessions that wait for one connection's sign-in. */
export interface WaitingSessions {
  readonly connection_id: string;
  readonly ids: readonly string[];
}

export interface ConnectionStorage {
  /** Newest first. */
  list(request: ConnectionListRequest): Promise<Page<Connection>>;
  read(connectionId: string): Promise<Connection | null>;
  /** Whether the code is the one that this connection's sign-in has ended with, within its time. */
  isCode(connectionId: string, code: string): Promise<boolean>;
  /** The sessions that wait for its sign-in. */
  waiting(connectionId: string): Promise<readonly string[]>;
  /** The sessions that wait for any sign-in at this server. */
  waitingAt(mcpServerId: string): Promise<readonly WaitingSessions[]>;
  /** Notes that the sessions were told. */
  told(connectionId: string, sessionIds: readonly string[]): Promise<void>;
  /** Forgets the catalogue that was listed with an earlier grant of this owner. */
  forgetCatalogue(connection: Connection): Promise<void>;
  /** Returns whether it existed. */
  remove(connectionId: string, audit?: WriteAudit): Promise<boolean>;
}

export function connectionStorage(database: Database, tenantId: string): ConnectionStorage {
  const isTenants = eq(connections.tenant_id, tenantId);
  const isOne = (id: string) => and(isTenants, eq(connections.id, id));
  return {
    async list({ before, limit, mcp_server_id, end_user_id, status }) {
      const rows = await database
        .select()
        .from(connections)
        .where(
          and(
            isTenants,
            before ? lt(connections.id, before) : undefined,
            mcp_server_id === undefined ? undefined : eq(connections.mcp_server_id, mcp_server_id),
            // The empty text is the tenant's own, which no end user is.
            end_user_id === undefined ? undefined : eq(connections.end_user_id, end_user_id),
            status === undefined ? undefined : eq(connections.status, status),
          ),
        )
        .orderBy(desc(connections.id))
        .limit(limit + 1);
      return toPage(rows.map(toConnection), limit);
    },

    async read(connectionId) {
      const [row] = await database.select().from(connections).where(isOne(connectionId));
      return row ? toConnection(row) : null;
    },

    async isCode(connectionId, code) {
      const hash = await sha256(code);
      // A completed sign-in has no attempt any more; the code of one that has run out is worth nothing.
      const isInTime = or(isNull(connections.attempt), gt(connections.attempt_until, Date.now()));
      const rows = await database
        .select({ id: connections.id })
        .from(connections)
        .where(and(isOne(connectionId), eq(connections.code_hash, hash), isInTime));
      return rows.length > 0;
    },

    async waiting(connectionId) {
      const [row] = await database
        .select({ ids: connections.session_ids })
        .from(connections)
        .where(isOne(connectionId));
      return row?.ids ?? [];
    },

    async waitingAt(mcpServerId) {
      return database
        .select({ connection_id: connections.id, ids: connections.session_ids })
        .from(connections)
        .where(
          and(
            isTenants,
            eq(connections.mcp_server_id, mcpServerId),
            sql`json_array_length(${connections.session_ids}) > 0`,
          ),
        )
        .limit(MAX_TOLD_CONNECTIONS);
    },

    async told(connectionId, sessionIds) {
      const left = sql`(SELECT json_group_array(value) FROM json_each(${connections.session_ids})
        WHERE value NOT IN (SELECT value FROM json_each(${JSON.stringify(sessionIds)})))`;
      await database.update(connections).set({ session_ids: left }).where(isOne(connectionId));
    },

    async forgetCatalogue({ mcp_server_id, end_user_id }) {
      await database
        .delete(mcpCatalogues)
        .where(
          and(
            eq(mcpCatalogues.tenant_id, tenantId),
            eq(mcpCatalogues.server_id, mcp_server_id),
            eq(mcpCatalogues.end_user_id, end_user_id ?? ""),
          ),
        );
    },

    async remove(connectionId, audit) {
      const removed = database
        .delete(connections)
        .where(isOne(connectionId))
        .returning({ id: connections.id });
      return (await runInBatch(database, removed, undefined, audit)).length > 0;
    },
  };
}

function toConnection(row: typeof connections.$inferSelect): Connection {
  const { id, mcp_server_id, end_user_id, status, issuer, scope, failure } = row;
  const { created_at, updated_at } = row;
  const owner = { mcp_server_id, end_user_id: end_user_id === "" ? null : end_user_id };
  return { id, ...owner, status, issuer, scope, failure, created_at, updated_at };
}

export interface ReturnedSignIn {
  readonly tenant_id: string;
  readonly connection: Connection;
  readonly attempt: SignInAttempt;
  readonly version: number;
}

/** The sign-in with this `state` for which no browser has come back; null for any other text. */
export async function findSignIn(
  env: VaultBindings,
  state: string,
): Promise<ReturnedSignIn | null> {
  const [row] = await openDatabase(env.DB)
    .select()
    .from(connections)
    .where(
      and(
        eq(connections.state_hash, await sha256(state)),
        gt(connections.attempt_until, Date.now()),
      ),
    );
  if (!row?.attempt) return null;
  const { tenant_id, version } = row;
  const vault = new ConnectionVault(env, tenant_id);
  const attempt = await vault.open<SignInAttempt>(row.attempt, `${row.id}:attempt`);
  return { tenant_id, connection: toConnection(row), attempt, version };
}

/** Keeps what the browser has brought, once: its `state` is unknown from then on. False when another one was first. */
export async function keepReturn(
  env: VaultBindings,
  { tenant_id, connection, attempt, version }: ReturnedSignIn,
  code: string,
): Promise<boolean> {
  const vault = new ConnectionVault(env, tenant_id);
  const rows = await openDatabase(env.DB)
    .update(connections)
    .set({
      attempt: await vault.seal(attempt, `${connection.id}:attempt`),
      state_hash: null,
      code_hash: await sha256(code),
      version: sql`${connections.version} + 1`,
      updated_at: new Date().toISOString(),
    })
    .where(
      and(
        eq(connections.tenant_id, tenant_id),
        eq(connections.id, connection.id),
        eq(connections.version, version),
        eq(connections.state_hash, await sha256(attempt.state)),
      ),
    )
    .returning({ id: connections.id });
  return rows.length > 0;
}
