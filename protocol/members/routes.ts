// Routes on members.
import { EXAMPLE_TIME, KEY_ID, TENANT_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import {
  InvitedMemberSchema,
  MemberCreateSchema,
  MemberLinkCreateSchema,
  MemberListQuerySchema,
  MemberPageSchema,
  MemberQuerySchema,
  MemberSchema,
  MemberUpdateSchema,
  RemovedMemberSchema,
} from "./contract.ts";
import { OPERATOR_MEMBER_EXAMPLES, OPERATOR_MEMBER_ROUTES } from "./operator-routes.ts";
import { MEMBER_WORDS } from "./words.ts";

const member = {
  id: "mem_01kaj2xh3k6n9q2t5w8z1b4d7f",
  tenant_id: TENANT_ID,
  name: "Ada Winter",
  email: "ada@shop.example",
  role: "approver",
  status: "invited",
  created_at: EXAMPLE_TIME,
  created_by: KEY_ID,
  link_expires_at: "2026-11-22T09:30:00.000Z",
  last_sign_in_at: null,
  removed_at: null,
};

const MEMBER_ROUTES = [
  {
    name: "inviteMember",
    method: "POST",
    path: "/v1/members",
    access: "members:write",
    operator_right: "access:write",
    keeps_keys: "database",
    body: "small",
    tag: "Members",
    summary: "Invite a member",
    description: [
      "Makes a member and a link with which the person registers a passkey or chooses a sign-in provider, once, within",
      "24 hours. Nobody gives a role with a scope that they lack. The operator names the tenant.",
    ].join(" "),
    request: { json: MemberCreateSchema, examples: ["newMember"] },
    answers: {
      201: {
        description: "The member, with the link this once.",
        json: InvitedMemberSchema,
        replayed: MemberSchema,
        headers: ["Location"],
        examples: ["invitedMember"],
      },
    },
    errors: ["conflict", "not_found", "quota_exceeded"],
  },

  {
    name: "listMembers",
    method: "GET",
    path: "/v1/members",
    access: "members:read",
    operator_right: "access:read",
    body: "none",
    tag: "Members",
    summary: "List members",
    description: "Newest first, removed ones too.",
    query: MemberListQuerySchema,
    answers: { 200: { description: "A page of members.", json: MemberPageSchema } },
    errors: ["not_found"],
  },

  {
    name: "readMember",
    method: "GET",
    path: "/v1/members/{member_id}",
    access: "members:read",
    operator_right: "access:read",
    body: "none",
    tag: "Members",
    summary: "Get a member",
    description: "A removed one too.",
    query: MemberQuerySchema,
    answers: { 200: { description: "The member.", json: MemberSchema } },
  },

  {
    name: "updateMember",
    method: "PATCH",
    path: "/v1/members/{member_id}",
    access: "members:write",
    operator_right: "access:write",
    body: "small",
    tag: "Members",
    summary: "Change a member's name or role",
    description: [
      "Who changes it needs the scopes of the old role and of the new one. Open console sessions have the new role",
      "within half a minute. The last owner keeps the role: 409.",
    ].join(" "),
    request: { json: MemberUpdateSchema, examples: ["memberRole"] },
    answers: { 200: { description: "The member.", json: MemberSchema } },
    errors: ["conflict"],
  },

  {
    name: "renewMemberLink",
    method: "POST",
    path: "/v1/members/{member_id}/link",
    access: "members:write",
    operator_right: "access:write",
    keeps_keys: "database",
    body: "small",
    tag: "Members",
    summary: "Make a new link for a member",
    description: [
      "For a link that was lost or has expired, and for a lost passkey or identity: the link before, the member's",
      "passkeys, identity and console sessions end, and the new link binds another one. Who makes it needs the scopes of",
      "the member's role.",
    ].join(" "),
    request: { json: MemberLinkCreateSchema, examples: ["newMemberLink"] },
    answers: {
      201: {
        description: "The member, with the link this once.",
        json: InvitedMemberSchema,
        replayed: MemberSchema,
      },
    },
    errors: ["conflict"],
  },

  {
    name: "removeMember",
    method: "DELETE",
    path: "/v1/members/{member_id}",
    access: "members:write",
    operator_right: "access:write",
    body: "none",
    tag: "Members",
    summary: "Remove a member",
    description: [
      "Ends the member's console sessions with their streams, passkeys, identity and link. What they made stays, and the answer",
      "lists it. The address is erased after 30 days; the name stays in decisions and in the audit. Who removes needs",
      "the scopes of the member's role. The last owner stays: 409. Repeating the request changes nothing.",
    ].join(" "),
    query: MemberQuerySchema,
    answers: {
      200: { description: "The member, and what stays of them.", json: RemovedMemberSchema },
    },
    errors: ["conflict"],
  },
] as const satisfies readonly DocumentedRoute[];

export const MEMBER_CONTRACT = {
  tags: {
    Members: "The people of a tenant, who sign in to its console.",
    "Operator's people": "The people of the operator, who sign in to the operator's console.",
  },
  routes: [...MEMBER_ROUTES, ...OPERATOR_MEMBER_ROUTES],
  pathParameters: { member_id: { form: "mem", description: "The member." } },
  fields: MEMBER_WORDS,
  examples: {
    newMember: {
      summary: "A person who answers refunds",
      value: { name: member.name, email: member.email, role: member.role },
    },
    invitedMember: {
      summary: "The member, with the link this once",
      value: {
        ...member,
        url: `https://agents.example.com/console/t/${TENANT_ID}#ml_…`,
      },
    },
    memberRole: { summary: "From now on a developer", value: { role: "developer" } },
    newMemberLink: { summary: "A new link", value: {} },
    ...OPERATOR_MEMBER_EXAMPLES,
  },
} as const satisfies Contract;
