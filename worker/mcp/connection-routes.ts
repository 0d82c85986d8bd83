// The grants of a tenant and its end users at MCP servers.
import {
  ConnectionCompleteSchema,
  ConnectionListQuerySchema,
  type Connection,
} from "../../protocol/mcp/connections.ts";
import { MAX_CALLBACK_CHARACTERS } from "../../protocol/mcp/limits.ts";
import { connectionStorage, findSignIn, keepReturn } from "../../storage/mcp/connection-storage.ts";
import { grantStorage } from "../../storage/mcp/grant-storage.ts";
import { mcpServerStorage } from "../../storage/mcp/mcp-server-storage.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { decodePageToken } from "../../storage/statements/page.ts";
import { checkReturned } from "../../tools/mcp/oauth/token-requests.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { completeConnection as complete, revokeConnection } from "./complete-connection.ts";
import { signInPage } from "./sign-in-page.ts";
import { tellOfRemoval, tellSessions } from "./tell-sessions.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { pathId } from "../middleware/check-path.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { unwrapOnce } from "../sessions/idempotent-session.ts";

const listConnections: RouteHandler = async (context) => {
  const { page, limit, ...filter } = readQuery(context, ConnectionListQuerySchema);
  const before = page === undefined ? undefined : decodePageToken("con", page);
  if (before === null) throw fieldError("validation_failed", "#/query/page", "no such page");
  return context.json(await storageOf(context).list({ ...filter, limit, before }));
};

const readConnection: RouteHandler = async (context) => context.json(await findConnection(context));

/**
 * Takes the code that the sign-in's page has shown: of a client token only from a session of the same end user, so that
 * a person who was led to another one's sign-in does not finish it.
 */
const completeConnection: RouteHandler = async (context) => {
  const { code } = await readBody(context, ConnectionCompleteSchema);
  const connection = await findConnection(context);
  await requireOwner(context, connection);
  if (!(await storageOf(context).isCode(connection.id, code))) {
    throw fieldError("conflict", "#/code", "this is not the code of the sign-in that is awaited");
  }
  return context.json(await complete(context, tenantOf(context), connection));
};

/** Forgotten at once; the issuer is told, as far as it can be. Calls ask for a sign-in again. */
const deleteConnection: RouteHandler = async (context) => {
  const connection = await findConnection(context);
  const tenantId = tenantOf(context);
  await revokeConnection(context, tenantId, connection);
  const { id: target } = connection;
  const waiting = [{ connection_id: target, ids: await storageOf(context).waiting(target) }];
  const audit = auditFor(context, { action: "connection.deleted", target, before: connection });
  if (!(await storageOf(context).remove(target, audit))) throw notFound("connection");
  const told = tellOfRemoval(context.env, tenantId, waiting);
  inBackground("telling of a connection that was removed", told);
  return context.body(null, 204);
};

/**
 * The page that a browser comes back to. The code that it brings is kept; nothing is granted before its owner hands
 * back the code. The address has to be that of the sign-in's client: another issuer sends browsers elsewhere.
 */
const showSignIn: RouteHandler = async (context) => {
  const { env, req } = context;
  const { searchParams: returned, pathname } = new URL(req.url);
  const state = returned.get("state");
  const isShort = returned.toString().length <= MAX_CALLBACK_CHARACTERS;
  const found = state !== null && isShort ? await findSignIn(env, state) : null;
  if (!found || state === null) return signInPage(UNKNOWN, 404);
  const { attempt, tenant_id, connection } = found;
  const { server, redirect_uri } = attempt.client;
  if (pathname !== new URL(redirect_uri).pathname) return signInPage(MIXED, 400);
  const { authorization_response_iss_parameter_supported: saysIssuer } = server;
  const iss = returned.get("iss");
  // RFC 9207: what another issuer has sent is not looked at, and the sign-in continues.
  if (iss === null ? saysIssuer === true : iss !== server.issuer) return signInPage(MIXED, 400);
  if (returned.get("error") !== null) {
    const { mcp_server_id, end_user_id } = connection;
    const owner = { tenant_id, mcp_server_id, server_version: 0, end_user_id };
    const store = grantStorage(env, owner, () => undefined);
    if (await store.endAttempt(found.version)) {
      const told = tellSessions(env, tenant_id, connection.id, "refused");
      inBackground("telling of a refused sign-in", told);
    }
    return signInPage(REFUSED);
  }
  try {
    checkReturned(attempt, returned);
  } catch {
    return signInPage(MIXED, 400);
  }
  const code = `sc_${newCode()}`;
  const kept = { ...found, attempt: { ...attempt, returned: returned.toString() } };
  if (!(await keepReturn(env, kept, code))) return signInPage(UNKNOWN, 404);
  const servers = mcpServerStorage(openDatabase(env.DB), tenant_id);
  const mcpServer = await servers.read(connection.mcp_server_id);
  const origins = mcpServer?.oauth?.opener_origins ?? [];
  return signInPage({ ...DONE, handover: { connection_id: connection.id, code, origins } });
};

const UNKNOWN = {
  title: "This sign-in is over",
  text: "It was ended, or took too long. Begin again in the app that you came from.",
  handover: null,
};
const MIXED = {
  title: "This is not the expected answer",
  text: "It is not from the server at which you were to sign in. Nothing was done.",
  handover: null,
};
const REFUSED = {
  title: "You did not sign in",
  text: "Nothing was done. You can close this page.",
  handover: null,
};
const DONE = {
  title: "You have signed in",
  text: "Go back to the app that you came from. If it asks for a code, it is this one. Give it to nobody else: with it an app can act as you.",
};

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @throws HttpError 404 for a client token of another end user, and for the tenant's own connections. */
async function requireOwner(context: AppContext, { end_user_id }: Connection): Promise<void> {
  const principal = context.get("principal");
  if (principal.kind === "tenant") return;
  if (principal.kind !== "client_token") {
    throw new HttpError("insufficient_scope", "this route takes an API key or a client token");
  }
  const { tenantId, sessionId } = principal;
  const session = unwrapOnce(
    context,
    await sessionStub(context.env, tenantId, sessionId).act("read", undefined, {}),
  );
  if (end_user_id === null || session.end_user_id !== end_user_id) throw notFound("connection");
}

async function findConnection(context: AppContext): Promise<Connection> {
  const connection = await storageOf(context).read(pathId(context, "connection_id"));
  if (!connection) throw notFound("connection");
  return connection;
}

function storageOf(context: AppContext) {
  return connectionStorage(openDatabase(context.env.DB), tenantOf(context));
}

export const connectionRoutes = {
  showSignIn,
  showIssuerSignIn: showSignIn,
  listConnections,
  readConnection,
  completeConnection,
  deleteConnection,
};
