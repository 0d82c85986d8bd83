// Members of a tenant: invited by link, with a role; nobody gives or takes a role with a scope that they lack.
import type { InvitedMember, Member, RemovedMember } from "../../protocol/members/contract.ts";
import {
  MemberCreateSchema,
  MemberLinkCreateSchema,
  MemberListQuerySchema,
  MemberQuerySchema,
  MemberUpdateSchema,
} from "../../protocol/members/contract.ts";
import { MEMBER_LINK_MS } from "../../protocol/members/limits.ts";
import { announceMemberLink } from "../../storage/webhooks/announce-member-link.ts";
import type { MemberLink, MemberStorage } from "../../storage/members/member-storage.ts";
import { hashConsoleSecret, makeConsoleSecret } from "../../storage/secrets/console-secret.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { cutKeys } from "../auth/cut-keys.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { namedTenant } from "../auth/named-tenant.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { makerOf } from "../principal.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";
import { requireRole } from "./require-role.ts";

const inviteMember: RouteHandler = async (context) => {
  const { name, email = null, role, tenant_id } = await readBody(context, MemberCreateSchema);
  const tenantId = await namedTenant(context, tenant_id, "#/tenant_id");
  requireRole(context, role, "#/role");
  const by = makerOf(context.get("principal"));
  const { link, secret } = await makeLink(context);
  const member: Member = {
    id: newId("mem"),
    tenant_id: tenantId,
    name,
    email,
    role,
    status: "invited",
    created_at: nowTimestamp(),
    created_by: by,
    link_expires_at: link.expiresAt,
    last_sign_in_at: null,
    removed_at: null,
  };
  const location = `/v1/members/${member.id}`;
  const audit = auditFor(context, {
    action: "member.invited",
    target: member.id,
    after: audited(member),
    tenantId,
  });
  const keep = answerStatement(context, { status: 201, location, body: member });
  const outcome = await membersOf(context, tenantId).insert(member, link, { by, keep, audit });
  if (outcome === "address_taken") {
    throw fieldError("conflict", "#/email", "another member of the tenant has this address");
  }
  if (outcome === "maker_ended") throw rightsEnded();
  return context.json(invite(context, member, secret), 201, { Location: location });
};

const listMembers: RouteHandler = async (context) => {
  const { tenant_id, ...query } = readQuery(context, MemberListQuerySchema);
  const request = toListRequest("mem", query);
  const tenantId = await namedTenant(context, tenant_id, "#/query/tenant_id");
  return context.json(await membersOf(context, tenantId).list(request));
};

const readMember: RouteHandler = async (context) => {
  const { member } = await findMember(context, tenantInQuery(context), "#/query/tenant_id");
  return context.json(member);
};

const updateMember: RouteHandler = async (context) => {
  const { tenant_id, ...change } = await readBody(context, MemberUpdateSchema);
  const { member, members, tenantId } = await findMember(context, tenant_id, "#/tenant_id");
  requireRole(context, member.role);
  if (change.role !== undefined) requireRole(context, change.role, "#/role");
  requireThere(member);
  if (change.name === undefined && change.role === undefined) return context.json(member);
  const audit = auditFor(context, {
    action: "member.updated",
    target: member.id,
    before: audited(member),
    after: audited({ ...member, ...change }),
    tenantId,
  });
  const by = makerOf(context.get("principal"));
  const changed = await members.update(member, change, { by, audit });
  if (!changed) throw await whyNot(members, member);
  knownKeys.forget(({ id }) => id === member.id);
  return context.json(changed);
};

const renewMemberLink: RouteHandler = async (context) => {
  const { tenant_id } = await readBody(context, MemberLinkCreateSchema);
  const { member, members, tenantId } = await findMember(context, tenant_id, "#/tenant_id");
  requireRole(context, member.role);
  requireThere(member);
  const { link, secret } = await makeLink(context);
  const after = { ...member, status: "invited", link_expires_at: link.expiresAt } as const;
  const ended = await members.renewLink(member, link, nowTimestamp(), {
    by: makerOf(context.get("principal")),
    keep: answerStatement(context, { status: 201, body: after }),
    audit: auditFor(context, {
      action: "member.link_renewed",
      target: member.id,
      before: audited(member),
      after: audited(after),
      tenantId,
    }),
  });
  if (!ended) throw await whyNot(members, member);
  await endSessions(context, ended.member, ended.sessionIds);
  return context.json(invite(context, ended.member, secret), 201);
};

/** A repeated request changes nothing in D1, and ends streams that an interrupted one left open. */
const removeMember: RouteHandler = async (context) => {
  const place = tenantInQuery(context);
  const { member, members, tenantId } = await findMember(context, place, "#/query/tenant_id");
  requireRole(context, member.role);
  const audit = auditFor(context, {
    action: "member.removed",
    target: member.id,
    before: audited(member),
    tenantId,
  });
  const by = makerOf(context.get("principal"));
  const ended = await members.remove(member, nowTimestamp(), { by, audit });
  if (!ended) throw await whyNot(members, member);
  await endSessions(context, ended.member, ended.sessionIds);
  const removed: RemovedMember = { ...ended.member, ...(await members.readMade(member.id)) };
  return context.json(removed);
};

/** Entries of the audit are kept for longer than the address of somebody who has left. */
function audited({ email: _, ...member }: Member): Omit<Member, "email"> {
  return member;
}

async function makeLink({ env }: AppContext): Promise<{ link: MemberLink; secret: string }> {
  const secret = makeConsoleSecret("member_link");
  const hash = await hashConsoleSecret("member_link", secret, env.KEY_PEPPER);
  const expiresAt = new Date(Date.now() + MEMBER_LINK_MS).toISOString();
  return { link: { hash, expiresAt }, secret };
}

/** The link is in this answer and in webhooks of endpoints with `member_links`, and nowhere else. */
function invite(context: AppContext, member: Member, secret: string): InvitedMember {
  const url = `${publicOrigin(context)}/console/t/${member.tenant_id}#${secret}`;
  inBackground("members: publish an invitation", announceMemberLink(context.env, member, url));
  return { ...member, url };
}

/**
 * Requests of the sessions end within half a minute, in this isolate at once; streams end at once, and so do client tokens
 * and links to files that were made in them.
 */
async function endSessions(
  { env }: AppContext,
  { id, tenant_id }: Member,
  sessionIds: readonly string[],
): Promise<void> {
  knownKeys.forget((key) => key.id === id);
  await cutKeys(env, tenant_id, sessionIds, { tokens: true });
}

async function findMember(context: AppContext, named: string | undefined, pointer: string) {
  const tenantId = await namedTenant(context, named, pointer);
  const members = membersOf(context, tenantId);
  const member = await members.read(pathId(context, "member_id"));
  if (!member) throw notFound("member");
  return { member, members, tenantId };
}

function tenantInQuery(context: AppContext): string | undefined {
  return readQuery(context, MemberQuerySchema).tenant_id;
}

function membersOf({ env }: AppContext, tenantId: string): MemberStorage {
  return tenantStorage(env.DB, tenantId).members;
}

function requireThere({ removed_at }: Member): void {
  if (removed_at !== null) {
    throw new HttpError("conflict", "the member was removed; invite the person again");
  }
}

async function whyNot(members: MemberStorage, before: Member): Promise<HttpError> {
  const now = await members.read(before.id);
  const isSame = now?.role === before.role && now.removed_at === before.removed_at;
  if (!isSame) return new HttpError("conflict", "the member was changed meanwhile; read it again");
  if (now.role !== "owner") return rightsEnded();
  return new HttpError(
    "conflict",
    "this is the last owner who signs in, or your own rights have ended: make another member an owner first, and wait until they have signed in",
  );
}

function rightsEnded(): HttpError {
  return unauthenticated("the credential was revoked, or is no longer an owner's");
}

export const memberRoutes = {
  inviteMember,
  listMembers,
  readMember,
  updateMember,
  renewMemberLink,
  removeMember,
};
