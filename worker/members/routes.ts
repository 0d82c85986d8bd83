// Members of a tenant, on routes of its keys and of the operator, who names it.
import {
  MemberCreateSchema,
  MemberLinkCreateSchema,
  MemberListQuerySchema,
  MemberQuerySchema,
  MemberUpdateSchema,
} from "../../protocol/members/contract.ts";
import type { MemberRole } from "../../protocol/members/roles.ts";
import { readMade } from "../../storage/members/read-made.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { announceMemberLink } from "../../storage/webhooks/announce-member-link.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { cutKeys } from "../auth/cut-keys.ts";
import { namedTenant } from "../auth/named-tenant.ts";
import { inBackground } from "../in-background.ts";
import { pathId } from "../middleware/check-path.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";
import {
  findMember,
  inviteTo,
  type MembersOwner,
  removeFrom,
  renewLinkIn,
  updateIn,
} from "./member-acts.ts";
import { requireRole } from "./require-role.ts";

const inviteMember: RouteHandler = async (context) => {
  const { tenant_id, ...invitation } = await readBody(context, MemberCreateSchema);
  return inviteTo(context, await tenantNamed(context, tenant_id, "#/tenant_id"), invitation);
};

const listMembers: RouteHandler = async (context) => {
  const { tenant_id, ...query } = readQuery(context, MemberListQuerySchema);
  const request = toListRequest("mem", query);
  const { members } = await tenantNamed(context, tenant_id, "#/query/tenant_id");
  return context.json(await members.list(request));
};

const readMember: RouteHandler = async (context) =>
  context.json(await findMember(await tenantInQuery(context), memberIn(context)));

const updateMember: RouteHandler = async (context) => {
  const { tenant_id, ...change } = await readBody(context, MemberUpdateSchema);
  const tenant = await tenantNamed(context, tenant_id, "#/tenant_id");
  return updateIn(context, tenant, memberIn(context), change);
};

const renewMemberLink: RouteHandler = async (context) => {
  const { tenant_id } = await readBody(context, MemberLinkCreateSchema);
  const tenant = await tenantNamed(context, tenant_id, "#/tenant_id");
  return renewLinkIn(context, tenant, memberIn(context));
};

const removeMember: RouteHandler = async (context) => {
  const tenant = await tenantInQuery(context);
  const readTheirs = (id: string) => readMade(context.env.DB, tenant.id, id);
  return removeFrom(context, tenant, memberIn(context), readTheirs);
};

function memberIn(context: AppContext): string {
  return pathId(context, "member_id");
}

async function tenantInQuery(context: AppContext): Promise<MembersOwner<MemberRole>> {
  const { tenant_id } = readQuery(context, MemberQuerySchema);
  return tenantNamed(context, tenant_id, "#/query/tenant_id");
}

async function tenantNamed(
  context: AppContext,
  named: string | undefined,
  pointer: string,
): Promise<MembersOwner<MemberRole>> {
  const { env } = context;
  const id = await namedTenant(context, named, pointer);
  return {
    id,
    members: tenantStorage(env.DB, id).members,
    path: "/v1/members",
    signInPath: `/console/t/${id}`,
    requireRole: (role, rolePointer) => requireRole(context, role, rolePointer),
    show: (member) => member,
    announce: (member, url) =>
      inBackground("members: publish an invitation", announceMemberLink(env, member, url)),
    cut: (sessionIds) => cutKeys(env, id, sessionIds, { tokens: true }),
  };
}

export const memberRoutes = {
  inviteMember,
  listMembers,
  readMember,
  updateMember,
  renewMemberLink,
  removeMember,
};
