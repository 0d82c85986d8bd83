// The operator's own people. Nobody has their sessions in a cache, and they open no streams: what ends, ends at once.
import {
  OperatorMemberCreateSchema,
  OperatorMemberLinkCreateSchema,
  OperatorMemberListQuerySchema,
  OperatorMemberUpdateSchema,
  type OperatorMember,
} from "../../protocol/members/operator-contract.ts";
import type { OperatorRole } from "../../protocol/members/operator-roles.ts";
import type { StoredMember } from "../../storage/members/member-storage.ts";
import { readMadeForOperator } from "../../storage/members/read-made.ts";
import { operatorPeople } from "../../storage/operator/operator-people.ts";
import { OPERATOR_ROWS } from "../../storage/tables/row-owner.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
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
import { requireOperatorRole } from "./require-role.ts";

const inviteOperatorMember: RouteHandler = async (context) =>
  inviteTo(context, operatorOf(context), await readBody(context, OperatorMemberCreateSchema));

const listOperatorMembers: RouteHandler = async (context) => {
  const request = toListRequest("mem", readQuery(context, OperatorMemberListQuerySchema));
  const { data, ...page } = await operatorOf(context).members.list(request);
  return context.json({ data: data.map(show), ...page });
};

const readOperatorMember: RouteHandler = async (context) =>
  context.json(show(await findMember(operatorOf(context), memberIn(context))));

const updateOperatorMember: RouteHandler = async (context) => {
  const change = await readBody(context, OperatorMemberUpdateSchema);
  return updateIn(context, operatorOf(context), memberIn(context), change);
};

const renewOperatorMemberLink: RouteHandler = async (context) => {
  await readBody(context, OperatorMemberLinkCreateSchema);
  return renewLinkIn(context, operatorOf(context), memberIn(context));
};

const removeOperatorMember: RouteHandler = (context) =>
  removeFrom(context, operatorOf(context), memberIn(context), (id) =>
    readMadeForOperator(context.env.DB, id),
  );

function memberIn(context: AppContext): string {
  return pathId(context, "member_id");
}

function operatorOf(context: AppContext): MembersOwner<OperatorRole> {
  return {
    id: OPERATOR_ROWS,
    members: operatorPeople(context.env.DB).members,
    path: "/v1/operator/members",
    signInPath: "/operator/sign-in",
    requireRole: (role, pointer) => requireOperatorRole(context, role, pointer),
    show,
    cut: () => Promise.resolve(),
  };
}

function show({ tenant_id: _, ...member }: StoredMember<OperatorRole>): OperatorMember {
  return member;
}

export const operatorMemberRoutes = {
  inviteOperatorMember,
  listOperatorMembers,
  readOperatorMember,
  updateOperatorMember,
  renewOperatorMemberLink,
  removeOperatorMember,
};
