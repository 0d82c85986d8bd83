// Sign-in of members at a console, a tenant's or the operator's: by an owner's link, which registers a passkey, and later by the
// passkey alone. An unknown tenant, an unknown member and a wrong passkey get the same answer, after the same work.
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
import type { ConsolePath } from "./console-cookie.ts";
import {
  enterConsole,
  findMemberLink,
  makeMemberSession,
  memberJoined,
  sessionStarted,
} from "./member-session.ts";
import { refuseStoppedOwner, signingOwner } from "./signing-owner.ts";

/** Shows whom a link invites, and does not use it. */
async function readMemberLink(context: AppContext, path: ConsolePath): Promise<Response> {
  const { tenant_id, secret } = await readBody(context, MemberLinkReadSchema);
  const member = await findMemberLink(context, signingOwner(path, tenant_id), secret);
  const party = findRelyingParty(context);
  const shown: MemberInvitation = {
    tenant: member.tenant && { id: member.tenant.id, name: member.tenant.name },
    member: { name: member.name, role: member.role },
    expires_at: member.link_expires_at,
    passkey: party && (await registrationOptions(context, party, member)),
    providers: await identityStorage(context.env.DB).listChoices(member.owner_id),
  };
  return context.json(shown);
}

/** Uses the link: registers the passkey, where the host can have any, and signs the browser in. */
async function acceptMemberLink(context: AppContext, path: ConsolePath): Promise<Response> {
  const { tenant_id, secret, passkey } = await readBody(context, MemberLinkUseSchema);
  const member = await findMemberLink(context, signingOwner(path, tenant_id), secret);
  const party = findRelyingParty(context);
  const registered = party && (await register(context, party, member, passkey));
  const { session, cookie } = await makeMemberSession(context, member);
  const outcome = await memberSignInStorage(context.env.DB).accept(member, registered, session, {
    started: sessionStarted(context, member, session),
    joined: memberJoined(context, member),
  });
  if (outcome !== "signed_in") throw consoleRefusal("member_link_ended");
  return enterConsole(context, path, cookie);
}

async function createPasskeyChallenge(context: AppContext, path: ConsolePath): Promise<Response> {
  const { tenant_id } = await readBody(context, PasskeyChallengeRequestSchema);
  const ownerId = signingOwner(path, tenant_id);
  const party = findRelyingParty(context);
  const challenge: PasskeyChallenge = {
    passkey: party && (await signInOptions(context, party, ownerId)),
  };
  return context.json(challenge);
}

async function signInWithPasskey(context: AppContext, path: ConsolePath): Promise<Response> {
  const { tenant_id, passkey: signed } = await readBody(context, PasskeySignInSchema);
  const ownerId = signingOwner(path, tenant_id);
  const party = findRelyingParty(context);
  const challenge = await openChallenge(context, signed.response.clientDataJSON, {
    ownerId,
    use: "sign_in",
  });
  if (!party || !challenge) throw consoleRefusal("sign_in_refused");
  const storage = memberSignInStorage(context.env.DB);
  const found = await storage.findPasskey(ownerId, signed.id);
  const stored = found?.passkey ?? { ...NOBODYS_PASSKEY, id: signed.id };
  const counter = await verifySignIn(party, signed, challenge, stored);
  if (!found || counter === null) throw consoleRefusal("sign_in_refused");
  const { member } = found;
  refuseStoppedOwner(member);
  const { session, cookie } = await makeMemberSession(context, member);
  const outcome = await storage.signIn(
    member,
    { ...stored, counter },
    session,
    challenge,
    sessionStarted(context, member, session),
  );
  if (outcome !== "signed_in") throw consoleRefusal("sign_in_refused");
  return enterConsole(context, path, cookie);
}

async function register(
  context: AppContext,
  party: NonNullable<ReturnType<typeof findRelyingParty>>,
  { owner_id: ownerId }: SigningMember,
  passkey: Parameters<typeof verifyRegistration>[1] | undefined,
) {
  const challenge =
    passkey &&
    (await openChallenge(context, passkey.response.clientDataJSON, {
      ownerId,
      use: "register",
    }));
  const registered = challenge && (await verifyRegistration(party, passkey, challenge));
  if (registered) return registered;
  throw new HttpError(
    "validation_failed",
    "the passkey was not accepted: it needs a device that checks who you are, such as by a fingerprint or a PIN, and five minutes at most; the link is not used up",
  );
}

/** By the name behind the console's path. */
export function memberSignIn(path: ConsolePath): Readonly<Record<string, RouteHandler>> {
  return {
    "member-link": (context) => readMemberLink(context, path),
    "member-session": (context) => acceptMemberLink(context, path),
    "passkey-challenge": (context) => createPasskeyChallenge(context, path),
    "passkey-session": (context) => signInWithPasskey(context, path),
  };
}
