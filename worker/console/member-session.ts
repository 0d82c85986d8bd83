// Parts of every sign-in of a member, whatever the member shows and whose member it is: the link, the new session, the cookie.
import { CONSOLE_SESSION_MS } from "../../protocol/keys/limits.ts";
import { OPERATOR_ROLE_RIGHTS, type OperatorRole } from "../../protocol/members/operator-roles.ts";
import { type MemberRole, ROLE_SCOPES } from "../../protocol/members/roles.ts";
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
import { newId, nowTimestamp } from "../new-id.ts";
import type { Principal } from "../principal.ts";
import { consoleRefusal } from "./check-console-session.ts";
import { type ConsolePath, setConsoleCookie } from "./console-cookie.ts";
import { endSession, findOpenSession } from "./console-session.ts";
import { refuseStoppedOwner } from "./signing-owner.ts";

/** @throws HttpError for a link that was used, replaced or has expired, or whose tenant is suspended. */
export async function findMemberLink(
  context: AppContext,
  ownerId: string,
  secret: string,
): Promise<LinkedMember> {
  const hashes = await consoleSecretHashes("member_link", secret, keyPepperOf(context.env));
  return findLinkOf(context, ownerId, hashes);
}

/** As {@link findMemberLink}, by the hash of the secret. */
export async function findLinkOf(
  { env }: AppContext,
  ownerId: string,
  hashes: readonly string[],
): Promise<LinkedMember> {
  const member = await memberSignInStorage(env.DB).findLink(ownerId, hashes);
  if (!member || member.link_expires_at <= nowTimestamp()) {
    throw consoleRefusal("member_link_ended");
  }
  refuseStoppedOwner(member);
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
  context.set("principal", signedIn(member, session));
  return { session, cookie };
}

/** The roles of an owner's members are of its kind. */
function signedIn(
  { id, name, role, tenant }: SigningMember,
  { id: consoleSessionId }: NewMemberSession,
): Principal {
  const bearer = { kind: "member", id, name } as const;
  if (!tenant) {
    const rights = OPERATOR_ROLE_RIGHTS[role as OperatorRole];
    return { kind: "operator", bearer, rights, consoleSessionId };
  }
  const scopes = ROLE_SCOPES[role as MemberRole];
  return { kind: "tenant", tenantId: tenant.id, bearer, scopes, expiresAt: null, consoleSessionId };
}

/** @param by More about how the member signs in. */
export function sessionStarted(
  context: AppContext,
  { role, owner_id }: SigningMember,
  { id }: NewMemberSession,
  by: object = {},
) {
  const after = { role, ...by };
  const act = { action: "console_session.started", target: id, tenantId: owner_id, after } as const;
  return auditFor(context, act);
}

/** @param by More about how the member signs in from now on. */
export function memberJoined(context: AppContext, { id, owner_id }: SigningMember, by?: object) {
  const act = { action: "member.joined", target: id, tenantId: owner_id, after: by } as const;
  return auditFor(context, act);
}

/** Ends the session that this browser had, and gives it the new one. */
export async function enterConsole(
  context: AppContext,
  path: ConsolePath,
  cookie: string,
): Promise<Response> {
  await endSession(context, await findOpenSession(context, path));
  setConsoleCookie(context, path, cookie);
  return context.body(null, 204);
}
