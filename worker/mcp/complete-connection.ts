// Ends a sign-in: the authorization server gives the tokens for the code that a browser has brought back.
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import type { Connection } from "../../protocol/mcp/connections.ts";
import { REFRESH_LEASE_MS } from "../../protocol/mcp/limits.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { announceFailedConnection } from "../../storage/mcp/announce-failed-connection.ts";
import { connectionStorage } from "../../storage/mcp/connection-storage.ts";
import { grantStorage, type GrantStorage } from "../../storage/mcp/grant-storage.ts";
import { readMcpServers } from "../../storage/mcp/read-mcp-servers.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import type { WriteAudit } from "../../storage/audit/audit-storage.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { bindingOf } from "../../tools/mcp/oauth/grant-settings.ts";
import { oauthFetch } from "../../outgoing/oauth/oauth-fetch.ts";
import { OAuthFailure } from "../../outgoing/oauth/oauth-failure.ts";
import {
  grantOfCode,
  revokeGrant,
  type OAuthAccess,
} from "../../tools/mcp/oauth/token-requests.ts";
import type { AppContext } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { HttpError, notFound } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { tellSessions } from "./tell-sessions.ts";

interface OpenedConnection {
  readonly store: GrantStorage;
  readonly access: OAuthAccess;
  readonly server: Parameters<typeof bindingOf>[0];
}

/** Null when its server is gone, or has no OAuth any more. */
async function openConnection(
  { env, get }: AppContext,
  tenantId: string,
  { mcp_server_id, end_user_id }: Connection,
): Promise<OpenedConnection | null> {
  const database = openDatabase(env.DB);
  const read = await readMcpServers(database, tenantId, [mcp_server_id], end_user_id);
  const server = read.servers.get(mcp_server_id)?.server;
  if (!server?.oauth) return null;
  const { id, name, url, oauth, version } = server;
  const pinned = { ...read.sealed, tenant_id: tenantId };
  const opened = await openPinnedCredentials(pinned, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenantId),
  );
  const outgoing = createOutgoing({ ...egressRules(env), fetch, trace: get("trace") });
  const owner = { tenant_id: tenantId, mcp_server_id, server_version: version, end_user_id };
  const announce = (connectionId: string): void =>
    inBackground(
      "announcing a failed connection",
      announceFailedConnection(env, tenantId, connectionId),
    );
  return {
    store: grantStorage(env, owner, announce),
    access: { fetch: oauthFetch(outgoing), secrets: createSecretSource(opened) },
    server: { id, name, url, oauth },
  };
}

/**
 * The caller has proven that the sign-in is theirs. Idempotent: a repeated request with the same code finds the grant.
 * @throws HttpError 409 when the sign-in is over, 502 when the authorization server refuses it.
 */
export async function completeConnection(
  context: AppContext,
  tenantId: string,
  connection: Connection,
): Promise<Connection> {
  const opened = await openConnection(context, tenantId, connection);
  const row = await opened?.store.read();
  if (!opened || !row) throw notFound("connection");
  const { store, access, server } = opened;
  const { attempt } = row;
  if (row.bound_to !== bindingOf(server)) throw over();
  if (!attempt) {
    // The answer to the first request was lost.
    if (row.status !== "active") throw over();
  } else {
    if (attempt.returned === undefined) throw over();
    if (!(await store.lease(row.version, Date.now() + REFRESH_LEASE_MS))) {
      throw new HttpError("conflict", "the sign-in is being completed by another request");
    }
    try {
      const audit = auditOf(context, connection);
      const granted = await grantOfCode(access, attempt, server.oauth);
      // The grant and the end of the sign-in are one commit: the code is used up now.
      if (!(await store.activate(row.version, granted, { endsAttempt: true, audit }))) throw over();
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error;
      await giveUp(context, { tenantId, connection, store, version: row.version, error });
    }
  }
  const database = connectionStorage(openDatabase(context.env.DB), tenantId);
  await database.forgetCatalogue(connection);
  await tellSessions(context.env, tenantId, connection.id, "active");
  return (await database.read(connection.id)) ?? connection;
}

/** An end user's act for themselves is no administrative act. */
function auditOf(context: AppContext, before: Connection): WriteAudit | undefined {
  if (context.get("principal").kind !== "tenant") return undefined;
  const after = { ...before, status: "active" };
  return auditFor(context, { action: "connection.completed", target: before.id, before, after });
}

/** A refused code is worth nothing any more: the calls ask anew. Others may be tried again. */
async function giveUp(
  { env }: AppContext,
  failed: {
    readonly tenantId: string;
    readonly connection: Connection;
    readonly store: GrantStorage;
    readonly version: number;
    readonly error: OAuthFailure;
  },
): Promise<never> {
  const { tenantId, connection, store, version, error } = failed;
  const extensions = { kind: "auth", http_status: null };
  if (error.isRefused) {
    await store.release();
    await store.endAttempt(version);
    await tellSessions(env, tenantId, connection.id, "again");
  } else await store.release();
  throw new HttpError("mcp_failed", `the sign-in did not succeed: ${error.message}`, {
    extensions,
  });
}

/** Best effort. Contract: never throws. */
export async function revokeConnection(
  context: AppContext,
  tenantId: string,
  connection: Connection,
): Promise<void> {
  try {
    const opened = await openConnection(context, tenantId, connection);
    const row = await opened?.store.read();
    if (!opened || !row?.client || !row.tokens) return;
    await revokeGrant(opened.access, row.client, row.tokens, opened.server.oauth);
  } catch (error) {
    console.warn("a grant could not be revoked at its issuer", { error: String(error) });
  }
}

function over(): HttpError {
  return new HttpError("conflict", "this sign-in is over: begin another one");
}
