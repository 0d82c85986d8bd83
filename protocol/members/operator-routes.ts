// Routes on the operator's own people.
import { EXAMPLE_TIME } from "../refund-desk.ts";
import type { DocumentedRoute, Example } from "../requests/contract.ts";
import {
  InvitedOperatorMemberSchema,
  OperatorMemberCreateSchema,
  OperatorMemberLinkCreateSchema,
  OperatorMemberListQuerySchema,
  OperatorMemberPageSchema,
  OperatorMemberSchema,
  OperatorMemberUpdateSchema,
  RemovedOperatorMemberSchema,
} from "./operator-contract.ts";
import { MAX_OPERATOR_MEMBERS } from "./limits.ts";

export const OPERATOR_MEMBER_ROUTES = [
  {
    name: "inviteOperatorMember",
    method: "POST",
    path: "/v1/operator/members",
    access: "operator",
    operator_right: "people:write",
    keeps_keys: "database",
    body: "small",
    tag: "Operator's people",
    summary: "Invite one of the operator's people",
    description: [
      "Makes a member of the operator and a link with which the person registers a passkey or chooses a sign-in provider,",
      `once, within 24 hours. Nobody gives a role with a right that they lack. ${MAX_OPERATOR_MEMBERS} at most.`,
    ].join(" "),
    request: { json: OperatorMemberCreateSchema, examples: ["newOperatorMember"] },
    answers: {
      201: {
        description: "The member, with the link this once.",
        json: InvitedOperatorMemberSchema,
        replayed: OperatorMemberSchema,
        headers: ["Location"],
        examples: ["invitedOperatorMember"],
      },
    },
    errors: ["conflict", "quota_exceeded"],
  },

  {
    name: "listOperatorMembers",
    method: "GET",
    path: "/v1/operator/members",
    access: "operator",
    operator_right: "people:read",
    body: "none",
    tag: "Operator's people",
    summary: "List the operator's people",
    description: "Newest first, removed ones too.",
    query: OperatorMemberListQuerySchema,
    answers: { 200: { description: "A page of members.", json: OperatorMemberPageSchema } },
  },

  {
    name: "readOperatorMember",
    method: "GET",
    path: "/v1/operator/members/{member_id}",
    access: "operator",
    operator_right: "people:read",
    body: "none",
    tag: "Operator's people",
    summary: "Get one of the operator's people",
    description: "A removed one too.",
    answers: { 200: { description: "The member.", json: OperatorMemberSchema } },
  },

  {
    name: "updateOperatorMember",
    method: "PATCH",
    path: "/v1/operator/members/{member_id}",
    access: "operator",
    operator_right: "people:write",
    body: "small",
    tag: "Operator's people",
    summary: "Change the name or the role of one of the operator's people",
    description: [
      "Who changes it needs the rights of the old role and of the new one. Open console sessions have the new role with",
      "their next request. The last owner keeps the role: 409.",
    ].join(" "),
    request: { json: OperatorMemberUpdateSchema, examples: ["operatorMemberRole"] },
    answers: { 200: { description: "The member.", json: OperatorMemberSchema } },
    errors: ["conflict"],
  },

  {
    name: "renewOperatorMemberLink",
    method: "POST",
    path: "/v1/operator/members/{member_id}/link",
    access: "operator",
    operator_right: "people:write",
    keeps_keys: "database",
    body: "small",
    tag: "Operator's people",
    summary: "Make a new link for one of the operator's people",
    description: [
      "For a link that was lost or has expired, and for a lost passkey or identity: the link before, the member's",
      "passkeys, identity and console sessions end, and the new link binds another one.",
    ].join(" "),
    request: { json: OperatorMemberLinkCreateSchema, examples: ["newMemberLink"] },
    answers: {
      201: {
        description: "The member, with the link this once.",
        json: InvitedOperatorMemberSchema,
        replayed: OperatorMemberSchema,
      },
    },
    errors: ["conflict"],
  },

  {
    name: "removeOperatorMember",
    method: "DELETE",
    path: "/v1/operator/members/{member_id}",
    access: "operator",
    operator_right: "people:write",
    body: "none",
    tag: "Operator's people",
    summary: "Remove one of the operator's people",
    description: [
      "Ends the person's console sessions, passkeys, identity and link. Keys of tenants and sign-in providers that they made",
      "stay, and the answer lists them. The address is erased after 30 days; the name stays in the audit. The last owner",
      "stays: 409. Repeating the request changes nothing.",
    ].join(" "),
    answers: {
      200: {
        description: "The member, and what stays of them.",
        json: RemovedOperatorMemberSchema,
      },
    },
    errors: ["conflict"],
  },
] as const satisfies readonly DocumentedRoute[];

const member = {
  id: "mem_01kaj2xk5m8p1r4t7v0y3a6c9e",
  name: "Noor Haddad",
  email: "noor@platform.example",
  role: "administrator",
  status: "invited",
  created_at: EXAMPLE_TIME,
  created_by: "operator",
  link_expires_at: "2026-11-22T09:30:00.000Z",
  last_sign_in_at: null,
  removed_at: null,
};

export const OPERATOR_MEMBER_EXAMPLES = {
  newOperatorMember: {
    summary: "A person who looks after tenants",
    value: { name: member.name, email: member.email, role: member.role },
  },
  invitedOperatorMember: {
    summary: "The member, with the link this once",
    value: { ...member, url: "https://agents.example.com/operator/sign-in#ml_…" },
  },
  operatorMemberRole: { summary: "From now on reads alone", value: { role: "support" } },
} as const satisfies Readonly<Record<string, Example>>;
