// The console session of a browser, found by its cookie, and how it ends.
import {
  OPERATOR_RIGHTS,
  OPERATOR_ROLE_RIGHTS,
  type OperatorRight,
  type OperatorRole,
} from "../../protocol/members/operator-roles.ts";
import { type MemberRole, ROLE_SCOPES } from "../../protocol/members/roles.ts";
import type { Scope } from "../../protocol/keys/contract.ts";
import type { ConsoleSessionRecord } from "../../storage/console/console-storage.ts";
import { consoleStorage } from "../../storage/console/console-storage.ts";
import { OPERATOR_ROWS } from "../../storage/tables/row-owner.ts";
import { consoleSecretHashes } from "../../storage/secrets/console-secret.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import type { AppContext } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { nowTimestamp } from "../new-id.ts";
import type { Principal } from "../principal.ts";
import type { ConsolePath } from "./console-cookie.ts";
import { readConsoleCookie } from "./console-cookie.ts";

/** The scopes of a session: a member's are those of the role at this moment. Null for the operator's console. */
export function sessionScopes({
  tenant_id,
  scopes,
  member,
}: ConsoleSessionRecord): readonly Scope[] | null {
  if (tenant_id === null || !member) return scopes;
  return ROLE_SCOPES[member.role as MemberRole];
}

/** The rights of a session of the operator's console, which a link opens with all of them. */
function sessionRights({ member_id, member }: ConsoleSessionRecord): readonly OperatorRight[] {
  if (member_id === null) return OPERATOR_RIGHTS;
  return member ? OPERATOR_ROLE_RIGHTS[member.role as OperatorRole] : [];
}

/** Members of the page's answer about the session's rights: scopes in a tenant's console, `rights` in the operator's. */
export function shownRights(session: ConsoleSessionRecord) {
  const scopes = sessionScopes(session);
  return session.tenant_id === null ? { scopes, rights: sessionRights(session) } : { scopes };
}

/** The principal that acts by the session, for the audit. */
export function principalOf(session: ConsoleSessionRecord): Principal {
  const { id, tenant_id, key_id, member_id, member, key } = session;
  if (tenant_id === null) {
    return {
      kind: "operator",
      bearer:
        member_id === null
          ? { kind: "operator_key", id: key_id ?? "" }
          : { kind: "member", id: member_id, name: member?.name ?? "" },
      rights: sessionRights(session),
      consoleSessionId: id,
    };
  }
  return {
    kind: "tenant",
    tenantId: tenant_id,
    bearer:
      member_id === null
        ? { kind: "api_key", id: key_id ?? "" }
        : { kind: "member", id: member_id, name: member?.name ?? "" },
    scopes: sessionScopes(session) ?? [],
    expiresAt: key?.expires_at ?? null,
    consoleSessionId: id,
  };
}

/** The session of the browser's cookie, also an ended one. */
export async function findSession(
  context: AppContext,
  path: ConsolePath,
): Promise<ConsoleSessionRecord | null> {
  const secret = readConsoleCookie(context);
  if (!secret) return null;
  const hashes = await consoleSecretHashes("session", secret, keyPepperOf(context.env));
  const session = await consoleStorage(context.env.DB).findSession(hashes);
  return session && isOf(session, path) ? session : null;
}

/** The session of this browser, unless it has ended. */
export async function findOpenSession(
  context: AppContext,
  path: ConsolePath,
): Promise<ConsoleSessionRecord | null> {
  const session = await findSession(context, path);
  return session?.ended_at === null ? session : null;
}

export async function endSession(
  context: AppContext,
  session: ConsoleSessionRecord | null,
): Promise<void> {
  if (!session) return;
  const { id, tenant_id } = session;
  const actor = context.get("principal");
  context.set("principal", principalOf(session));
  const audit = auditFor(context, {
    action: "console_session.ended",
    target: id,
    tenantId: tenant_id ?? OPERATOR_ROWS,
  });
  context.set("principal", actor);
  await consoleStorage(context.env.DB).end(id, nowTimestamp(), audit);
  knownKeys.forget((key) => key.console?.session_id === id);
}

/** A tenant's link opens nothing at the operator's path, nor the other way round. */
export function isOf({ tenant_id }: ConsoleSessionRecord, path: ConsolePath): boolean {
  return (tenant_id === null) === (path === "/operator");
}
