// The console at `/console` for tenants and at `/operator` for the operator: its static files, and the sign-in behind
// them. They are no part of the API, so the route table does not have them.
import { Hono } from "hono";
import type { MiddlewareHandler } from "hono";
import * as z from "zod";

import type { Route } from "../../protocol/requests/route.ts";
import type { ConsoleAccess, ConsoleInvitation } from "../../protocol/console/contract.ts";
import { ConsoleSignInSchema } from "../../protocol/console/contract.ts";
import { CONSOLE_SESSION_MS, CONSOLE_TOKEN_MS } from "../../protocol/keys/limits.ts";
import type { ConsoleSessionRecord } from "../../storage/console/console-storage.ts";
import { consoleStorage } from "../../storage/console/console-storage.ts";
import { OPERATOR_ROWS } from "../../storage/tables/row-owner.ts";
import {
  consoleSecretHashes,
  hashConsoleSecret,
  makeConsoleSecret,
} from "../../storage/secrets/console-secret.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { signToken } from "../../storage/secrets/signed-token.ts";
import { operatorStorage } from "../../storage/operator/operator-storage.ts";
import type { AppContext, AppEnv, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { checkConsoleLink, checkConsoleSession, consoleRefusal } from "./check-console-session.ts";
import type { ConsolePath } from "./console-cookie.ts";
import { clearConsoleCookie, setConsoleCookie } from "./console-cookie.ts";
import {
  endSession,
  findOpenSession,
  findSession,
  isOf,
  principalOf,
  shownRights,
} from "./console-session.ts";
import { consoleHeaders } from "./console-headers.ts";
import { memberSignIn } from "./member-sign-in.ts";
import { providerSignIn } from "./provider-sign-in.ts";
import { requireSameOrigin } from "./require-same-origin.ts";
import { serveConsole } from "./serve-console.ts";
import { nowTimestamp } from "../new-id.ts";
import { limitUnauthenticated } from "../requests/rate-limit.ts";
import { readBody } from "../requests/read-body.ts";

/**
 * The body of a page's post whose cookie says all: an empty object, since another site's form can send a cookie, but no
 * JSON. No part of the API.
 */
const EmptyRequestSchema = z.strictObject({});

/** The route by which the request's body is read; these requests are in no table. */
const ROUTE: Route = {
  name: "console",
  method: "POST",
  path: "/console",
  access: "public",
  body: "small",
};

/** Each request is counted by its address, since guesses are made here. */
const guard: MiddlewareHandler<AppEnv> = async (context, next) => {
  context.set("route", ROUTE);
  context.set("principal", { kind: "public" });
  requireSameOrigin(context);
  await limitUnauthenticated(context);
  await next();
};

/** Shows whose console a link opens, and does not use it. */
async function readLink(context: AppContext, path: ConsolePath): Promise<Response> {
  const { tenant_id, tenant, expires_at } = await findLink(context, path);
  const shown: ConsoleInvitation = {
    tenant: tenant_id === null ? null : { id: tenant_id, name: tenant?.name ?? "" },
    // Until the link is used, the session's end is the link's.
    expires_at,
  };
  return context.json(shown);
}

/** Uses the link, ends the session that this browser had, and sets the cookie of a new one with a new secret. */
async function signIn(context: AppContext, path: ConsolePath): Promise<Response> {
  const link = await findLink(context, path);
  const { env } = context;
  context.set("principal", principalOf(link));
  const earlier = await findOpenSession(context, path);
  const startedAt = nowTimestamp();
  const secret = makeConsoleSecret("session");
  const isStarted = await consoleStorage(env.DB).start(
    link.id,
    {
      hash: await hashConsoleSecret("session", secret, env.KEY_PEPPER),
      startedAt,
      expiresAt: new Date(Date.parse(startedAt) + CONSOLE_SESSION_MS).toISOString(),
    },
    auditFor(context, {
      action: "console_session.started",
      target: link.id,
      after: { scopes: link.scopes },
      tenantId: link.tenant_id ?? OPERATOR_ROWS,
    }),
  );
  if (!isStarted) throw consoleRefusal("link_used");
  await endSession(context, earlier);
  setConsoleCookie(context, path, secret);
  return context.body(null, 204);
}

async function findLink(context: AppContext, path: ConsolePath): Promise<ConsoleSessionRecord> {
  const { secret } = await readBody(context, ConsoleSignInSchema);
  const { env } = context;
  const hashes = await consoleSecretHashes("link", secret, keyPepperOf(env));
  const link = await consoleStorage(env.DB).findLink(hashes);
  if (!link || !isOf(link, path)) throw consoleRefusal("link_unknown");
  await checkConsoleLink(env, link, nowTimestamp());
  return link;
}

/** Exchanges the cookie for an access token of some minutes. */
async function createToken(context: AppContext, path: ConsolePath): Promise<Response> {
  await readBody(context, EmptyRequestSchema);
  const { env } = context;
  const session = await findSession(context, path);
  const now = nowTimestamp();
  if (!session) throw consoleRefusal("signed_out");
  await checkConsoleSession(env, session, now);
  if (!(await consoleStorage(env.DB).noteUse(session.id, now))) throw consoleRefusal("signed_out");
  const { id, tenant_id, tenant, key_id, member_id, member } = session;
  if (tenant_id !== null && key_id !== null) {
    await operatorStorage(env.DB).noteKeyUse(key_id, now, now);
  }
  const exp = Math.min(Date.parse(now) + CONSOLE_TOKEN_MS, Date.parse(session.expires_at));
  const access: ConsoleAccess = {
    token: await signToken(
      "console_token",
      { console_session_id: id, tenant_id, exp },
      env.KEY_PEPPER,
    ),
    expires_at: new Date(exp).toISOString(),
    session: {
      id,
      tenant: tenant_id === null ? null : { id: tenant_id, name: tenant?.name ?? "" },
      ...shownRights(session),
      ...(member_id !== null &&
        member && { member: { id: member_id, name: member.name, role: member.role } }),
      ends_at: session.expires_at,
    },
  };
  return context.json(access);
}

/** Ends the session and its access tokens. Without a session it does nothing. */
async function signOut(context: AppContext, path: ConsolePath): Promise<Response> {
  await readBody(context, EmptyRequestSchema);
  await endSession(context, await findOpenSession(context, path));
  clearConsoleCookie(context, path);
  return context.body(null, 204);
}

export const consoleSite = new Hono<AppEnv>();

for (const path of ["/console", "/operator"] as const) {
  const handlers: Readonly<Record<string, RouteHandler>> = {
    link: (context) => readLink(context, path),
    session: (context) => signIn(context, path),
    token: (context) => createToken(context, path),
    "sign-out": (context) => signOut(context, path),
  };
  consoleSite.use(`${path}/*`, consoleHeaders);
  const all = { ...handlers, ...memberSignIn(path), ...providerSignIn(path) };
  for (const [name, handler] of Object.entries(all)) {
    consoleSite.post(`${path}/${name}`, guard, handler);
  }
  consoleSite.get(path, serveConsole);
  consoleSite.get(`${path}/*`, serveConsole);
}
