// The grant of one owner at one MCP server, in D1. Each change names the version that it was decided about.
import { and, eq, lt, lte, or, sql } from "drizzle-orm";

import { MAX_WAITING_SESSIONS, REFRESH_LEASE_MS } from "../../protocol/mcp/limits.ts";
import { formatId, ID_RANDOM_BYTES } from "../../protocol/ids.ts";
import type {
  Granted,
  GrantStore,
  OAuthClient,
  OAuthTokens,
  RegisteredClient,
  SignInAttempt,
  StoredConnection,
} from "../../protocol/mcp/grant-store.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { openDatabase } from "../statements/database.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { connections, oauthClients } from "./connection-table.ts";
import { mcpServers } from "./table.ts";
import { ConnectionVault, type VaultBindings } from "./connection-vault.ts";
import { sha256 } from "./sha256.ts";

export interface GrantOwner {
  readonly tenant_id: string;
  readonly mcp_server_id: string;
  /** Of the server's definition. */
  readonly server_version: number;
  /** Null for the tenant. */
  readonly end_user_id: string | null;
}

export interface GrantStorage extends GrantStore {
  activate(
    version: number,
    granted: Granted,
    options?: { readonly endsAttempt?: boolean; readonly audit?: WriteAudit },
  ): Promise<boolean>;
  /** Takes the sign-in away: it was refused, or has failed. */
  endAttempt(version: number): Promise<boolean>;
}

interface SealedGrant {
  readonly client: OAuthClient;
  readonly tokens: OAuthTokens;
}

type Row = typeof connections.$inferSelect;

/** @param onFailed Told of a grant that is gone, behind its commit. */
export function grantStorage(
  env: VaultBindings,
  owner: GrantOwner,
  onFailed: (connectionId: string) => void,
): GrantStorage {
  const database = openDatabase(env.DB);
  const { tenant_id, mcp_server_id, server_version } = owner;
  const end_user_id = owner.end_user_id ?? "";
  const vault = new ConnectionVault(env, tenant_id);
  const isOurs = and(
    eq(connections.tenant_id, tenant_id),
    eq(connections.mcp_server_id, mcp_server_id),
    eq(connections.end_user_id, end_user_id),
  );
  const now = () => new Date().toISOString();
  const isAt = (version: number) => and(isOurs, eq(connections.version, version));
  const next = { version: sql`${connections.version} + 1` };
  const isServers = eq(oauthClients.mcp_server_id, mcp_server_id);

  async function read(): Promise<StoredConnection | null> {
    const [row] = await database.select().from(connections).where(isOurs);
    return row ? openRow(vault, row) : null;
  }

  /** @returns whether the row had this version. */
  async function change(
    version: number,
    values: Partial<Record<keyof Row, unknown>>,
    audit?: WriteAudit,
  ) {
    const changed = database
      .update(connections)
      .set({ ...values, ...next, updated_at: now() } as object)
      .where(isAt(version))
      .returning({ id: connections.id });
    const rows = await runInBatch(database, changed, undefined, audit);
    return rows[0] ?? null;
  }

  return {
    read,

    async ensure(boundTo) {
      const at = now();
      const random = crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES));
      const fresh = {
        status: "waiting" as const,
        bound_to: boundTo,
        expires_at: 0,
        leased_until: 0,
        attempt_until: 0,
        session_ids: [],
        updated_at: at,
      };
      const id = formatId("con", Date.now(), random);
      const about = { id, tenant_id, mcp_server_id, end_user_id, version: 1, created_at: at };
      const none = { issuer: null, scope: null, failure: null, grant: null, attempt: null };
      await database
        .insert(connections)
        .values({ ...about, ...fresh })
        .onConflictDoUpdate({
          target: [connections.tenant_id, connections.mcp_server_id, connections.end_user_id],
          set: { ...fresh, ...none, ...next, state_hash: null, code_hash: null },
          setWhere: sql`${connections.bound_to} <> ${boundTo}`,
        });
      const row = await read();
      if (!row) throw new Error("a connection was removed while it was made");
      return row;
    },

    async lease(version, untilMs) {
      const rows = await database
        .update(connections)
        .set({ leased_until: untilMs })
        .where(
          and(
            isAt(version),
            // A clock that was set back must not make a lease of hours; one that is a little behind breaks none.
            or(
              lt(connections.leased_until, Date.now()),
              lt(sql`${untilMs + REFRESH_LEASE_MS}`, connections.leased_until),
            ),
          ),
        )
        .returning({ id: connections.id });
      return rows.length > 0;
    },

    async release() {
      await database.update(connections).set({ leased_until: 0 }).where(isOurs);
    },

    async activate(version, { client, tokens, expires_at }, { endsAttempt = false, audit } = {}) {
      const [known] = await database.select({ id: connections.id }).from(connections).where(isOurs);
      if (!known) return false;
      const grant = await vault.seal({ client, tokens } satisfies SealedGrant, `${known.id}:grant`);
      const changed = await change(
        version,
        {
          status: "active",
          grant,
          expires_at,
          issuer: client.server.issuer,
          scope: tokens.scope ?? null,
          failure: null,
          leased_until: 0,
          // The hash of the code stays: a repeated request finds the grant.
          ...(endsAttempt && { attempt: null, attempt_until: 0, state_hash: null }),
        },
        audit,
      );
      return changed !== null;
    },

    async fail(version, failure) {
      const changed = await change(version, {
        status: "failed",
        grant: null,
        expires_at: 0,
        leased_until: 0,
        failure,
      });
      if (changed) onFailed(changed.id);
      return changed !== null;
    },

    async begin(version, attempt, expiresAtMs) {
      const [known] = await database.select().from(connections).where(isAt(version));
      if (!known) return false;
      const { client } = attempt;
      const changed = await change(version, {
        ...(known.status === "failed" && { status: "waiting" }),
        issuer: client.server.issuer,
        attempt: await vault.seal(attempt, `${known.id}:attempt`),
        attempt_until: expiresAtMs,
        state_hash: await sha256(attempt.state),
        code_hash: null,
      });
      return changed !== null;
    },

    async endAttempt(version) {
      const none = { attempt: null, attempt_until: 0, state_hash: null, code_hash: null };
      return (await change(version, none)) !== null;
    },

    async addSession(sessionId) {
      const ids = sql`json_insert(${connections.session_ids}, '$[#]', ${sessionId})`;
      await database
        .update(connections)
        .set({ session_ids: ids })
        .where(
          and(
            isOurs,
            sql`NOT EXISTS (SELECT 1 FROM json_each(${connections.session_ids}) WHERE value = ${sessionId})`,
            lte(sql`json_array_length(${connections.session_ids})`, MAX_WAITING_SESSIONS),
          ),
        );
    },

    async readClient(issuer) {
      const [row] = await database
        .select({ client: oauthClients.client })
        .from(oauthClients)
        .where(
          and(isServers, eq(oauthClients.issuer, issuer), eq(oauthClients.version, server_version)),
        );
      return row ? vault.open<RegisteredClient>(row.client, `${mcp_server_id}:client`) : null;
    },

    async keepClient(issuer, client) {
      const sealed = await vault.seal(client, `${mcp_server_id}:client`);
      // Only while the server is there: what a deleted one had is deleted with it.
      await database.run(sql`
        INSERT INTO oauth_clients (mcp_server_id, tenant_id, version, issuer, client)
        SELECT id, ${tenant_id}, ${server_version}, ${issuer}, ${sealed} FROM ${mcpServers}
        WHERE id = ${mcp_server_id} AND tenant_id = ${tenant_id}
        ON CONFLICT (mcp_server_id, issuer) DO UPDATE SET version = excluded.version,
          client = excluded.client`);
    },
  };
}

async function openRow(vault: ConnectionVault, row: Row): Promise<StoredConnection> {
  const { id, status, version, bound_to, expires_at, attempt_until } = row;
  const isAwaited = row.attempt !== null && attempt_until > Date.now();
  const [grant, attempt] = await Promise.all([
    row.grant === null ? null : vault.open<SealedGrant>(row.grant, `${id}:grant`),
    isAwaited ? vault.open<SignInAttempt>(row.attempt ?? "v1..", `${id}:attempt`) : null,
  ]);
  return {
    id,
    status,
    version,
    bound_to,
    expires_at,
    client: grant?.client ?? null,
    tokens: grant?.tokens ?? null,
    attempt: attempt && { ...attempt, expires_at: attempt_until },
  };
}
