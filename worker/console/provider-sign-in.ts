// Sign-in of members by an identity at a provider: begun on the tenant's page, with a member's link or without, and completed by the
// page to which the provider sends the browser back.
import {
  ProviderReturnSchema,
  type SignInAddress,
  ProviderSignInSchema,
  type SignInChoices,
  SignInChoicesReadSchema,
} from "../../protocol/sign-in-providers/messages.ts";
import type { ConsoleRefusal } from "../../protocol/console/contract.ts";
import type { LinkedMember } from "../../storage/members/sign-in-storage.ts";
import {
  identityStorage,
  type SigningProvider,
  type StoredIdentity,
} from "../../storage/sign-in-providers/identity-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { refuseStopped } from "../auth/admit-tenant.ts";
import { nowTimestamp } from "../new-id.ts";
import { readBody } from "../requests/read-body.ts";
import { ProviderFailure } from "../sign-in-providers/oidc-provider.ts";
import type { OidcIdentity } from "../sign-in-providers/oidc-sign-in.ts";
import { beginAt, completeAt } from "../sign-in-providers/provider-client.ts";
import { consoleRefusal } from "./check-console-session.ts";
import {
  enterConsole,
  findLinkOf,
  findMemberLink,
  makeMemberSession,
  sessionStarted,
} from "./member-session.ts";
import { keepSignInState, takeSignInState } from "./sign-in-state.ts";

const readSignInChoices: RouteHandler = async (context) => {
  const { tenant_id } = await readBody(context, SignInChoicesReadSchema);
  const choices: SignInChoices = {
    providers: await identityStorage(context.env.DB).listChoices(tenant_id),
  };
  return context.json(choices);
};

/** Stores nothing. An unknown tenant and a provider that it lacks get the same answer. */
const begin: RouteHandler = async (context) => {
  const { tenant_id, provider_id, secret } = await readBody(context, ProviderSignInSchema);
  const link = secret === undefined ? null : await findMemberLink(context, tenant_id, secret);
  const provider = await identityStorage(context.env.DB).findProvider(tenant_id, provider_id);
  if (!provider) throw consoleRefusal("provider_unknown");
  const { url, secrets } = await told(provider, () => beginAt(context, provider));
  const link_hash = link?.link_hash ?? null;
  await keepSignInState(context, { tenant_id, provider_id, link_hash, ...secrets });
  const begun: SignInAddress = { url };
  return context.json(begun);
};

const complete: RouteHandler = async (context) => {
  const { provider_id, returned } = await readBody(context, ProviderReturnSchema);
  const query = new URLSearchParams(returned);
  const state = await takeSignInState(context, provider_id, query.get("state"));
  if (!state) throw consoleRefusal("provider_sign_in_ended");
  const { tenant_id: tenantId, link_hash, challenge } = state;
  const storage = identityStorage(context.env.DB);
  const provider = await storage.findProvider(tenantId, provider_id);
  if (!provider) throw consoleRefusal("provider_unknown", { tenantId });
  // Before the code is used up.
  const linked = link_hash === null ? null : await findLinkOf(context, tenantId, [link_hash]);
  const found = await told(provider, () => completeAt(context, provider, state, query));
  const identity = { provider_id, subject: found.subject };
  const invited = linked ?? (await findInvited(context, provider, found));
  const member = invited ?? (await storage.findMember(tenantId, identity));
  if (!member) throw refusedIdentity("identity_unknown", provider);
  refuseStopped(member.tenant.status);
  const { session, cookie } = await makeMemberSession(context, member);
  const started = sessionStarted(context, member, session, { sign_in_provider_id: provider_id });
  const outcome = invited
    ? await storage.accept(invited, identity, session, challenge, {
        started,
        joined: auditFor(context, {
          action: "member.joined",
          target: member.id,
          after: { sign_in_provider_id: provider_id },
        }),
      })
    : await storage.signIn(member, identity, session, challenge, started);
  switch (outcome) {
    case "signed_in":
      return enterConsole(context, cookie);
    case "taken":
      throw refusedIdentity("identity_taken", provider);
    case "repeated":
      throw consoleRefusal("provider_sign_in_ended", { tenantId });
    case "ended":
      throw invited
        ? consoleRefusal("member_link_ended")
        : refusedIdentity("identity_unknown", provider);
    default:
      return outcome satisfies never;
  }
};

/** An open invitation of the person's address, for an identity that is nobody's yet. */
async function findInvited(
  { env }: AppContext,
  { id, tenant_id }: SigningProvider,
  { subject, verifiedEmail }: OidcIdentity,
): Promise<LinkedMember | null> {
  if (verifiedEmail === null) return null;
  const storage = identityStorage(env.DB);
  const identity: StoredIdentity = { provider_id: id, subject };
  if (await storage.findMember(tenant_id, identity)) return null;
  return storage.findInvitation(tenant_id, verifiedEmail, nowTimestamp());
}

/** Failures of the provider as refusals that a person can read. */
async function told<Value>(
  { name, tenant_id: tenantId }: SigningProvider,
  run: () => Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw consoleRefusal("provider_refused", { detail: `${name} ${error.message}`, tenantId });
  }
}

function refusedIdentity(
  reason: Extract<ConsoleRefusal, "identity_unknown" | "identity_taken">,
  { name, tenant_id: tenantId }: SigningProvider,
) {
  const what = `this account of ${name}`;
  const detail =
    reason === "identity_unknown"
      ? `${what} signs nobody in here`
      : `another member signs in with ${what}`;
  return consoleRefusal(reason, { detail, tenantId });
}

export const providerSignIn: Readonly<Record<string, RouteHandler>> = {
  "sign-in-choices": readSignInChoices,
  "provider-sign-in/begin": begin,
  "provider-sign-in/complete": complete,
};
