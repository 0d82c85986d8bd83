// Whether a sign-in link or a console session may still be used. A refusal says why, and what to do next.
import type { ConsoleRefusal } from "../../protocol/console/contract.ts";
import { CONSOLE_IDLE_MS } from "../../protocol/keys/limits.ts";
import type { ConsoleSessionRecord } from "../../storage/console/console-storage.ts";
import { operatorKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { keyIdOf } from "../../storage/secrets/key-id.ts";
import { acceptedValues } from "../../storage/secrets/rotated-secret.ts";
import { refuseStopped } from "../auth/admit-tenant.ts";
import { HttpError } from "../http-error.ts";

const NEXT =
  "make a new link with `POST /v1/console-links` or, where the platform runs locally, with `npm run console`";

const DETAILS = {
  link_unknown: "this sign-in link is incomplete, or was made a day ago or earlier",
  link_used:
    "this sign-in link was used already; if that was not you, revoke the API key that made it",
  link_expired: "this sign-in link has expired",
  signed_out: "there is no open console session in this browser",
  session_expired: "the console session has expired",
  key_revoked: "the API key that made the sign-in link was revoked or has expired",
  member_removed: "this person was removed, and is no member here any more",
  member_link_ended:
    "this link is incomplete, was used, has expired or was replaced by a newer one",
  sign_in_refused: "this passkey signs nobody in here",
  provider_unknown: "there is no such sign-in provider here any more",
  provider_refused: "the sign-in provider has refused",
  provider_sign_in_ended:
    "this sign-in was finished already, was begun in another browser, or has taken longer than ten minutes",
  identity_unknown: "this account signs nobody in here",
  identity_taken: "another member signs in with this account",
} as const satisfies Record<ConsoleRefusal, string>;

const AGAIN =
  "begin again on the sign-in page, or with the link of your invitation, which is not used up";

/** The next step after refusals of members, who have no key. */
const MEMBERS_NEXT: Partial<Record<ConsoleRefusal, string>> = {
  member_removed: "an owner can invite them again",
  member_link_ended:
    "an owner makes a new one; if it was used and that was not you, tell them at once",
  sign_in_refused:
    "check the address of the page, which is that of your own console, and choose the passkey that you have registered there; an owner's new link replaces a lost one",
  provider_unknown: "load the sign-in page again",
  provider_refused: `${AGAIN}; if it stays so, tell an owner what you read here`,
  provider_sign_in_ended: AGAIN,
  identity_unknown:
    "choose the account with which you have joined, or open the link of your invitation; an owner's new link replaces an account that you have lost",
  identity_taken:
    "sign out at the provider, open your link again, which is not used up, and choose an account of your own",
};

/**
 * A 401 whose member `reason` tells the refusals apart.
 * @param more.detail What has happened, in place of the usual words.
 * @param more.tenantId The tenant to whose sign-in page the person goes back.
 */
export function consoleRefusal(
  reason: ConsoleRefusal,
  {
    detail = DETAILS[reason],
    tenantId,
  }: { readonly detail?: string; readonly tenantId?: string } = {},
): HttpError {
  return new HttpError("unauthenticated", `${detail}; ${MEMBERS_NEXT[reason] ?? NEXT}`, {
    extensions: { reason, ...(tenantId !== undefined && { tenant_id: tenantId }) },
  });
}

/** @throws HttpError for a link that is used, expired, or whose key or tenant is gone. */
export async function checkConsoleLink(
  env: Env,
  record: ConsoleSessionRecord,
  now: string,
): Promise<void> {
  if (record.started_at !== null) throw consoleRefusal("link_used");
  if (record.link_expires_at === null || record.link_expires_at <= now)
    throw consoleRefusal("link_expired");
  await checkMaker(env, record, now);
}

/**
 * @throws HttpError for a session that has ended by signing out, by its time, without an exchange for
 *   {@link CONSOLE_IDLE_MS}, or whose key or tenant is gone.
 */
export async function checkConsoleSession(
  env: Env,
  record: ConsoleSessionRecord,
  now: string,
): Promise<void> {
  // A removal ends the session too, and is what the person should read.
  if (record.member && record.member.removed_at !== null) throw consoleRefusal("member_removed");
  if (record.ended_at !== null || record.started_at === null) throw consoleRefusal("signed_out");
  const idleSince = new Date(Date.parse(now) - CONSOLE_IDLE_MS).toISOString();
  if (record.expires_at <= now || (record.last_used_at ?? "") <= idleSince) {
    throw consoleRefusal("session_expired");
  }
  await checkMaker(env, record, now);
}

/** The key that made the link, or the member, and the tenant: without them it opens nothing, and the session ends. */
async function checkMaker(
  env: Env,
  { tenant_id, tenant, key, key_id, member_id, member }: ConsoleSessionRecord,
  now: string,
): Promise<void> {
  if (member_id !== null) {
    if (tenant_id !== null) refuseStopped(tenant?.status ?? "closed");
    if (!member) throw consoleRefusal("member_removed");
    return;
  }
  if (tenant_id === null) {
    const ids = await Promise.all(acceptedValues(operatorKeyOf(env)).map(keyIdOf));
    if (key_id === null || !ids.includes(key_id)) throw consoleRefusal("key_revoked");
    return;
  }
  refuseStopped(tenant?.status ?? "closed");
  const isRevoked = !key || key.revoked_at !== null;
  if (isRevoked || (key.expires_at !== null && key.expires_at <= now)) {
    throw consoleRefusal("key_revoked");
  }
}
