// Sign-in of members: by an owner's link, which registers a passkey, and later by the passkey alone. An unknown tenant, an
// unknown member and a wrong passkey get the same answer, after the same work.
import {
  type MemberInvitation,
  MemberLinkReadSchema,
  MemberLinkUseSchema,
  type PasskeyChallenge,
  PasskeyChallengeRequestSchema,
  PasskeySignInSchema,
} from "../../protocol/members/passkey.ts";
import type { SigningMember } from "../../storage/members/session-statements.ts";
import { memberSignInStorage } from "../../storage/members/sign-in-storage.ts";
import { identityStorage } from "../../storage/sign-in-providers/identity-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { refuseStopped } from "../auth/admit-tenant.ts";
import { HttpError } from "../http-error.ts";
import {
  findRelyingParty,
  NOBODYS_PASSKEY,
  openChallenge,
  registrationOptions,
  signInOptions,
  verifyRegistration,
  verifySignIn,
} from "../members/passkeys.ts";
import { readBody } from "../requests/read-body.ts";
import { consoleRefusal } from "./check-console-session.ts";
import {
  enterConsole,
  findMemberLink,
  makeMemberSession,
  sessionStarted,
} from "./member-session.ts";

/** Shows whom a link invites, and does not use it. */
const readMemberLink: RouteHandler = async (context) => {
  const { tenant_id, secret } = await readBody(context, MemberLinkReadSchema);
  const member = await findMemberLink(context, tenant_id, secret);
  const party = findRelyingParty(context);
  const shown: MemberInvitation = {
    tenant: { id: member.tenant.id, name: member.tenant.name },
    member: { name: member.name, role: member.role },
    expires_at: member.link_expires_at,
    passkey: party && (await registrationOptions(context, party, member)),
    providers: await identityStorage(context.env.DB).listChoices(member.tenant.id),
  };
  return context.json(shown);
};

/** Uses the link: registers the passkey, where the host can have any, and signs the browser in. */
const acceptMemberLink: RouteHandler = async (context) => {
  const { tenant_id, secret, passkey } = await readBody(context, MemberLinkUseSchema);
  const member = await findMemberLink(context, tenant_id, secret);
  const party = findRelyingParty(context);
  const registered = party && (await register(context, party, member, passkey));
  const { session, cookie } = await makeMemberSession(context, member);
  const outcome = await memberSignInStorage(context.env.DB).accept(member, registered, session, {
    started: sessionStarted(context, member, session),
    joined: auditFor(context, { action: "member.joined", target: member.id }),
  });
  if (outcome !== "signed_in") throw consoleRefusal("member_link_ended");
  return enterConsole(context, cookie);
};

const createPasskeyChallenge: RouteHandler = async (context) => {
  const { tenant_id } = await readBody(context, PasskeyChallengeRequestSchema);
  const party = findRelyingParty(context);
  const challenge: PasskeyChallenge = {
    passkey: party && (await signInOptions(context, party, tenant_id)),
  };
  return context.json(challenge);
};

const signInWithPasskey: RouteHandler = async (context) => {
  const { tenant_id, passkey: signed } = await readBody(context, PasskeySignInSchema);
  const party = findRelyingParty(context);
  const challenge = await openChallenge(context, signed.response.clientDataJSON, {
    tenant_id,
    use: "sign_in",
  });
  if (!party || !challenge) throw consoleRefusal("sign_in_refused");
  const storage = memberSignInStorage(context.env.DB);
  const found = await storage.findPasskey(tenant_id, signed.id);
  const stored = found?.passkey ?? { ...NOBODYS_PASSKEY, id: signed.id };
  const counter = await verifySignIn(party, signed, challenge, stored);
  if (!found || counter === null) throw consoleRefusal("sign_in_refused");
  const { member } = found;
  refuseStopped(member.tenant.status);
  const { session, cookie } = await makeMemberSession(context, member);
  const outcome = await storage.signIn(
    member,
    { ...stored, counter },
    session,
    challenge,
    sessionStarted(context, member, session),
  );
  if (outcome !== "signed_in") throw consoleRefusal("sign_in_refused");
  return enterConsole(context, cookie);
};

async function register(
  context: AppContext,
  party: NonNullable<ReturnType<typeof findRelyingParty>>,
  { tenant }: SigningMember,
  passkey: Parameters<typeof verifyRegistration>[1] | undefined,
) {
  const challenge =
    passkey &&
    (await openChallenge(context, passkey.response.clientDataJSON, {
      tenant_id: tenant.id,
      use: "register",
    }));
  const registered = challenge && (await verifyRegistration(party, passkey, challenge));
  if (registered) return registered;
  throw new HttpError(
    "validation_failed",
    "the passkey was not accepted: it needs a device that checks who you are, such as by a fingerprint or a PIN, and five minutes at most; the link is not used up",
  );
}

export const memberSignIn: Readonly<Record<string, RouteHandler>> = {
  "member-link": readMemberLink,
  "member-session": acceptMemberLink,
  "passkey-challenge": createPasskeyChallenge,
  "passkey-session": signInWithPasskey,
};
