// Sign-in of members by an identity at a provider: begun on the sign-in page of a console, with a member's link or without, and completed by the
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
import { nowTimestamp } from "../new-id.ts";
import { readBody } from "../requests/read-body.ts";
import { ProviderFailure } from "../sign-in-providers/oidc-provider.ts";
import type { OidcIdentity } from "../sign-in-providers/oidc-sign-in.ts";
import { beginAt, completeAt } from "../sign-in-providers/provider-client.ts";
import { consoleRefusal } from "./check-console-session.ts";
import type { ConsolePath } from "./console-cookie.ts";
import {
  enterConsole,
  findLinkOf,
  findMemberLink,
  makeMemberSession,
  memberJoined,
  sessionStarted,
} from "./member-session.ts";
import { keepSignInState, takeSignInState } from "./sign-in-state.ts";
import { refuseStoppedOwner, signingOwner, tenantToReturnTo } from "./signing-owner.ts";

async function readSignInChoices(context: AppContext, path: ConsolePath): Promise<Response> {
  const { tenant_id } = await readBody(context, SignInChoicesReadSchema);
  const choices: SignInChoices = {
    providers: await identityStorage(context.env.DB).listChoices(signingOwner(path, tenant_id)),
  };
  return context.json(choices);
}

/** Stores nothing. An unknown tenant and a provider that it lacks get the same answer. */
async function begin(context: AppContext, path: ConsolePath): Promise<Response> {
  const { tenant_id, provider_id, secret } = await readBody(context, ProviderSignInSchema);
  const ownerId = signingOwner(path, tenant_id);
  const link = secret === undefined ? null : await findMemberLink(context, ownerId, secret);
  const provider = await identityStorage(context.env.DB).findProvider(ownerId, provider_id);
  if (!provider) throw consoleRefusal("provider_unknown");
  const { url, secrets } = await told(provider, () => beginAt(context, provider));
  const link_hash = link?.link_hash ?? null;
  await keepSignInState(context, path, {
    tenant_id: ownerId,
    provider_id,
    link_hash,
    ...secrets,
  });
  const begun: SignInAddress = { url };
  return context.json(begun);
}

async function complete(context: AppContext, path: ConsolePath): Promise<Response> {
  const { provider_id, returned } = await readBody(context, ProviderReturnSchema);
  const query = new URLSearchParams(returned);
  const state = await takeSignInState(context, path, provider_id, query.get("state"));
  if (!state) throw consoleRefusal("provider_sign_in_ended");
  const { tenant_id: ownerId, link_hash, challenge } = state;
  const storage = identityStorage(context.env.DB);
  const provider = await storage.findProvider(ownerId, provider_id);
  if (!provider) throw consoleRefusal("provider_unknown", tenantToReturnTo(ownerId));
  // Before the code is used up.
  const linked = link_hash === null ? null : await findLinkOf(context, ownerId, [link_hash]);
  const found = await told(provider, () => completeAt(context, provider, state, query));
  const identity = { provider_id, subject: found.subject };
  const invited = linked ?? (await findInvited(context, provider, found));
  const member = invited ?? (await storage.findMember(ownerId, identity));
  if (!member) throw refusedIdentity("identity_unknown", provider);
  refuseStoppedOwner(member);
  const { session, cookie } = await makeMemberSession(context, member);
  const started = sessionStarted(context, member, session, { sign_in_provider_id: provider_id });
  const outcome = invited
    ? await storage.accept(invited, identity, session, challenge, {
        started,
        joined: memberJoined(context, member, { sign_in_provider_id: provider_id }),
      })
    : await storage.signIn(member, identity, session, challenge, started);
  switch (outcome) {
    case "signed_in":
      return enterConsole(context, path, cookie);
    case "taken":
      throw refusedIdentity("identity_taken", provider);
    case "repeated":
      throw consoleRefusal("provider_sign_in_ended", tenantToReturnTo(ownerId));
    case "ended":
      throw invited
        ? consoleRefusal("member_link_ended")
        : refusedIdentity("identity_unknown", provider);
    default:
      return outcome satisfies never;
  }
}

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
  { name, tenant_id: ownerId }: SigningProvider,
  run: () => Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const detail = `${name} ${error.message}`;
    throw consoleRefusal("provider_refused", { detail, ...tenantToReturnTo(ownerId) });
  }
}

function refusedIdentity(
  reason: Extract<ConsoleRefusal, "identity_unknown" | "identity_taken">,
  { name, tenant_id: ownerId }: SigningProvider,
) {
  const what = `this account of ${name}`;
  const detail =
    reason === "identity_unknown"
      ? `${what} signs nobody in here`
      : `another member signs in with ${what}`;
  return consoleRefusal(reason, { detail, ...tenantToReturnTo(ownerId) });
}

/** By the name behind the console's path. */
export function providerSignIn(path: ConsolePath): Readonly<Record<string, RouteHandler>> {
  return {
    "sign-in-choices": (context) => readSignInChoices(context, path),
    "provider-sign-in/begin": (context) => begin(context, path),
    "provider-sign-in/complete": (context) => complete(context, path),
  };
}
