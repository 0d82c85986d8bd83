// Acts on the members of one owner, a tenant or the operator, behind the routes of both. Nobody gives or takes a role with rights
// that they lack.
import type { Member } from "../../protocol/members/contract.ts";
import { MAX_OPERATOR_MEMBERS, MEMBER_LINK_MS } from "../../protocol/members/limits.ts";
import type {
  MemberLink,
  MemberStorage,
  StoredMember,
} from "../../storage/members/member-storage.ts";
import type { AnyRole } from "../../storage/members/table.ts";
import { hashConsoleSecret, makeConsoleSecret } from "../../storage/secrets/console-secret.ts";
import type { AppContext } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { makerOf } from "../principal.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { publicOrigin } from "../requests/public-origin.ts";

/** The owner of members, with what is particular to its kind. */
export interface MembersOwner<Role extends AnyRole> {
  /** A tenant's id, or `OPERATOR_ROWS`. */
  readonly id: string;
  readonly members: MemberStorage<Role>;
  /** The path of its routes. */
  readonly path: string;
  /** The path of its sign-in page, which a link leads to. */
  readonly signInPath: string;
  /** @param pointer The field that names the role. @throws HttpError for a role with rights that the sender lacks. */
  readonly requireRole: (role: Role, pointer?: string) => void;
  /** The member as the API and the audit show it. */
  readonly show: (member: StoredMember<Role>) => object;
  /** Tells others of a link, once its answer is made. */
  readonly announce?: (member: StoredMember<Role>, url: string) => void;
  /** Ends what was opened with sessions that have ended: streams, tokens. */
  readonly cut: (sessionIds: readonly string[]) => Promise<void>;
}

interface Invitation<Role> {
  readonly name: string;
  readonly email?: string | undefined;
  readonly role: Role;
}

export async function inviteTo<Role extends AnyRole>(
  context: AppContext,
  owner: MembersOwner<Role>,
  { name, email, role }: Invitation<Role>,
): Promise<Response> {
  owner.requireRole(role, "#/role");
  const by = makerOf(context.get("principal"));
  const { link, secret } = await makeLink(context);
  const member: StoredMember<Role> = {
    id: newId("mem"),
    tenant_id: owner.id,
    name,
    email: email ?? null,
    role,
    status: "invited",
    created_at: nowTimestamp(),
    created_by: by,
    link_expires_at: link.expiresAt,
    last_sign_in_at: null,
    removed_at: null,
  };
  const location = `${owner.path}/${member.id}`;
  const audit = auditFor(context, {
    action: "member.invited",
    target: member.id,
    after: audited(owner, member),
    tenantId: owner.id,
  });
  const keep = answerStatement(context, { status: 201, location, body: owner.show(member) });
  const outcome = await owner.members.insert(member, link, { by, keep, audit });
  if (outcome === "address_taken") {
    throw fieldError("conflict", "#/email", "another member here has this address");
  }
  if (outcome === "maker_ended") throw rightsEnded();
  if (outcome === "full") throw tooManyForOperator();
  return context.json(withLink(context, owner, member, secret), 201, { Location: location });
}

interface MemberChange<Role> {
  readonly name?: string;
  readonly role?: Role;
}

export async function updateIn<Role extends AnyRole>(
  context: AppContext,
  owner: MembersOwner<Role>,
  id: string,
  change: MemberChange<Role>,
): Promise<Response> {
  const member = await findMember(owner, id);
  owner.requireRole(member.role);
  if (change.role !== undefined) owner.requireRole(change.role, "#/role");
  requireThere(member);
  if (change.name === undefined && change.role === undefined) {
    return context.json(owner.show(member));
  }
  const audit = auditFor(context, {
    action: "member.updated",
    target: member.id,
    before: audited(owner, member),
    after: audited(owner, { ...member, ...change }),
    tenantId: owner.id,
  });
  const by = makerOf(context.get("principal"));
  const changed = await owner.members.update(member, change, { by, audit });
  if (!changed) throw await whyNot(owner, member);
  knownKeys.forget(({ id }) => id === member.id);
  return context.json(owner.show(changed));
}

export async function renewLinkIn<Role extends AnyRole>(
  context: AppContext,
  owner: MembersOwner<Role>,
  id: string,
): Promise<Response> {
  const member = await findMember(owner, id);
  owner.requireRole(member.role);
  requireThere(member);
  const { link, secret } = await makeLink(context);
  const after = { ...member, status: "invited", link_expires_at: link.expiresAt } as const;
  const ended = await owner.members.renewLink(member, link, nowTimestamp(), {
    by: makerOf(context.get("principal")),
    keep: answerStatement(context, { status: 201, body: owner.show(after) }),
    audit: auditFor(context, {
      action: "member.link_renewed",
      target: member.id,
      before: audited(owner, member),
      after: audited(owner, after),
      tenantId: owner.id,
    }),
  });
  if (!ended) throw await whyNot(owner, member);
  await endSessions(owner, ended.member, ended.sessionIds);
  return context.json(withLink(context, owner, ended.member, secret), 201);
}

/** A repeated request changes nothing in D1, and ends streams that an interrupted one left open. */
export async function removeFrom<Role extends AnyRole>(
  context: AppContext,
  owner: MembersOwner<Role>,
  id: string,
  readMade: (memberId: string) => Promise<object>,
): Promise<Response> {
  const member = await findMember(owner, id);
  owner.requireRole(member.role);
  const audit = auditFor(context, {
    action: "member.removed",
    target: member.id,
    before: audited(owner, member),
    tenantId: owner.id,
  });
  const by = makerOf(context.get("principal"));
  const ended = await owner.members.remove(member, nowTimestamp(), { by, audit });
  if (!ended) throw await whyNot(owner, member);
  await endSessions(owner, ended.member, ended.sessionIds);
  return context.json({ ...owner.show(ended.member), ...(await readMade(member.id)) });
}

/** @throws HttpError for an id that is no member's of this owner. */
export async function findMember<Role extends AnyRole>(
  { members }: MembersOwner<Role>,
  id: string,
): Promise<StoredMember<Role>> {
  const member = await members.read(id);
  if (!member) throw notFound("member");
  return member;
}

/** A member as the audit has it, without the address: that is erased 30 days after a member has left, and entries stay. */
function audited<Role extends AnyRole>(
  { show }: MembersOwner<Role>,
  member: StoredMember<Role>,
): object {
  const { email: _, ...shown } = show(member) as Partial<Pick<Member, "email">>;
  return shown;
}

async function makeLink({ env }: AppContext): Promise<{ link: MemberLink; secret: string }> {
  const secret = makeConsoleSecret("member_link");
  const hash = await hashConsoleSecret("member_link", secret, env.KEY_PEPPER);
  const expiresAt = new Date(Date.now() + MEMBER_LINK_MS).toISOString();
  return { link: { hash, expiresAt }, secret };
}

/** The link is in this answer and in what is announced, and nowhere else. */
function withLink<Role extends AnyRole>(
  context: AppContext,
  owner: MembersOwner<Role>,
  member: StoredMember<Role>,
  secret: string,
): object {
  const url = `${publicOrigin(context)}${owner.signInPath}#${secret}`;
  owner.announce?.(member, url);
  return { ...owner.show(member), url };
}

/**
 * Requests of the sessions end within half a minute, in this isolate at once; streams end at once, and so do client tokens
 * and links to files that were made in them.
 */
async function endSessions<Role extends AnyRole>(
  owner: MembersOwner<Role>,
  { id }: StoredMember<Role>,
  sessionIds: readonly string[],
): Promise<void> {
  knownKeys.forget((key) => key.id === id);
  await owner.cut(sessionIds);
}

function requireThere({ removed_at }: StoredMember<AnyRole>): void {
  if (removed_at !== null) {
    throw new HttpError("conflict", "the member was removed; invite the person again");
  }
}

async function whyNot<Role extends AnyRole>(
  { members }: MembersOwner<Role>,
  before: StoredMember<Role>,
): Promise<HttpError> {
  const now = await members.read(before.id);
  const isSame = now?.role === before.role && now.removed_at === before.removed_at;
  if (!isSame) return new HttpError("conflict", "the member was changed meanwhile; read it again");
  if (now.role !== "owner") return rightsEnded();
  return new HttpError(
    "conflict",
    "this is the last owner who signs in, or your own rights have ended: make another member an owner first, and wait until they have signed in",
  );
}

/** A tenant's number of members is a quota, which is refused elsewhere. */
function tooManyForOperator(): HttpError {
  const detail = `the operator has ${MAX_OPERATOR_MEMBERS} members at most; nothing was done: remove one first`;
  return new HttpError("quota_exceeded", detail, { extensions: { quota: "operator_members" } });
}

function rightsEnded(): HttpError {
  return unauthenticated("the credential was revoked, or is no longer an owner's");
}
