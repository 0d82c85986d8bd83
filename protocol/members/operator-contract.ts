// The operator's people, who sign in to the operator's console. As members of a tenant, with other roles.
import * as z from "zod";

import { ApiKeySchema } from "../keys/contract.ts";
import { PageQuerySchema, pageOf } from "../schemas/common.ts";
import {
  MemberCreateSchema,
  MemberSchema,
  MemberUpdateSchema,
  RemovedMemberSchema,
} from "./contract.ts";
import { OperatorRoleSchema } from "./operator-roles.ts";

const role = OperatorRoleSchema;

export const OperatorMemberCreateSchema = MemberCreateSchema.omit({ tenant_id: true })
  .extend({ role })
  .meta({ id: "OperatorMemberCreate", description: "A person to invite." });

export const OperatorMemberUpdateSchema = MemberUpdateSchema.omit({ tenant_id: true })
  .extend({ role: role.optional() })
  .meta({
    id: "OperatorMemberUpdate",
    description: "Members that are left out do not change.",
  });

export const OperatorMemberLinkCreateSchema = z
  .strictObject({})
  .meta({ id: "OperatorMemberLinkCreate", description: "An empty object." });

export const OperatorMemberSchema = MemberSchema.omit({ tenant_id: true }).extend({ role }).meta({
  id: "OperatorMember",
  description: "A person of the operator's, without the secret of a link.",
});
export type OperatorMember = z.infer<typeof OperatorMemberSchema>;
export const OperatorMemberPageSchema = pageOf(OperatorMemberSchema).meta({
  id: "OperatorMemberPage",
});

/** The answers to an invitation and to a new link, the only ones that contain the link. */
export const InvitedOperatorMemberSchema = OperatorMemberSchema.extend({
  /** The secret is in the fragment, which browsers do not send. */
  url: z.string(),
}).meta({ id: "InvitedOperatorMember", description: "The one answer that shows the link." });
export type InvitedOperatorMember = z.infer<typeof InvitedOperatorMemberSchema>;

/** The things that stay when one of the operator's people leaves. */
export const RemovedOperatorMemberSchema = OperatorMemberSchema.extend({
  /** Keys of tenants that the member made and that are not revoked, newest first, as many as the answer lists. */
  api_keys: z.array(ApiKeySchema.pick({ id: true, tenant_id: true, name: true, prefix: true })),
  ...RemovedMemberSchema.pick({ sign_in_provider_ids: true }).shape,
}).meta({
  id: "RemovedOperatorMember",
  description: "A person of the operator's who has left, and what stays.",
});
export type RemovedOperatorMember = z.infer<typeof RemovedOperatorMemberSchema>;

export const OperatorMemberListQuerySchema = PageQuerySchema;
