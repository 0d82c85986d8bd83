// Parts of every sign-in of a member, whatever the member shows: the owner's link, the new session, the cookie.
import { CONSOLE_SESSION_MS } from "../../protocol/keys/limits.ts";
import { ROLE_SCOPES } from "../../protocol/members/roles.ts";
import type { NewMemberSession, SigningMember } from "../../storage/members/session-statements.ts";
import type { LinkedMember } from "../../storage/members/sign-in-storage.ts";
import { memberSignInStorage } from "../../storage/members/sign-in-storage.ts";
import {
  consoleSecretHashes,
  hashConsoleSecret,
  makeConsoleSecret,
} from "../../storage/secrets/console-secret.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import type { AppContext } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { refuseStopped } from "../auth/admit-tenant.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { consoleRefusal } from "./check-console-session.ts";
import { setConsoleCookie } from "./console-cookie.ts";
import { endSession, findOpenSession } from "./console-session.ts";

/** Members sign in to a tenant's console; the operator's has none. */
const PATH = "/console";

/** @throws HttpError for a link that was used, replaced or has expired, or whose tenant is suspended. */
export async function findMemberLink(
  context: AppContext,
  tenantId: string,
  secret: string,
): Promise<LinkedMember> {
  const hashes = await consoleSecretHashes("member_link", secret, keyPepperOf(context.env));
  return findLinkOf(context, tenantId, hashes);
}

/** As {@link findMemberLink}, by the hash of the secret. */
export async function findLinkOf(
  { env }: AppContext,
  tenantId: string,
  hashes: readonly string[],
): Promise<LinkedMember> {
  const member = await memberSignInStorage(env.DB).findLink(tenantId, hashes);
  if (!member || member.link_expires_at <= nowTimestamp()) {
    throw consoleRefusal("member_link_ended");
  }
  refuseStopped(member.tenant.status);
  return member;
}

/** Makes the member the one who acts. The session is not stored yet. */
export async function makeMemberSession(context: AppContext, member: SigningMember) {
  const startedAt = nowTimestamp();
  const cookie = makeConsoleSecret("session");
  const session: NewMemberSession = {
    id: newId("cse"),
    hash: await hashConsoleSecret("session", cookie, context.env.KEY_PEPPER),
    startedAt,
    expiresAt: new Date(Date.parse(startedAt) + CONSOLE_SESSION_MS).toISOString(),
  };
  context.set("principal", {
    kind: "tenant",
    tenantId: member.tenant.id,
    bearer: { kind: "member", id: member.id, name: member.name },
    scopes: ROLE_SCOPES[member.role],
    expiresAt: null,
    consoleSessionId: session.id,
  });
  return { session, cookie };
}

/** @param by More about how the member signs in. */
export function sessionStarted(
  context: AppContext,
  { role }: SigningMember,
  { id }: NewMemberSession,
  by: object = {},
) {
  const after = { role, ...by };
  return auditFor(context, { action: "console_session.started", target: id, after });
}

/** Ends the session that this browser had, and gives it the new one. */
export async function enterConsole(context: AppContext, cookie: string): Promise<Response> {
  await endSession(context, await findOpenSession(context, PATH));
  setConsoleCookie(context, PATH, cookie);
  return context.body(null, 204);
}
